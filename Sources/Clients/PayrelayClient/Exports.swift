// One import is enough for an app: orders, amounts and documents are part of this library's surface.
@_exported public import PayrelayAPI
@_exported public import PayrelayPrimitives
