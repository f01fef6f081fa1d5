import Testing
@testable import ApplePayToken
