public import AccessControl
public import ArgumentParser
public import PaymentRelay

// Words of the relay that arguments may be.

extension OperatorRole: ExpressibleByArgument {}

extension Resolution: ExpressibleByArgument {}
