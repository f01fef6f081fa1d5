// The exports let an app use orders, amounts and documents with a single import.
@_exported public import PayrelayAPI
@_exported public import PayrelayPrimitives
