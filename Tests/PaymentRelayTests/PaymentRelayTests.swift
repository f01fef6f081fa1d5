import Testing
@testable import PaymentRelay
