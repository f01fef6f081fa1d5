public import AccessControl
public import ArgumentParser
public import PaymentRelay

// Types of the relay that can be parsed from arguments.

extension OperatorRole: ExpressibleByArgument {}

extension Resolution: ExpressibleByArgument {}
