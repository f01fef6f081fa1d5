import Crypto
import Foundation
import Testing

@testable import AccessControl

@Suite struct OperatorsTests {
    @Test func theLineHoldsTheSHA256OfTheKeyAndNotTheKey() throws {
        let key = OperatorKey()
        let digest = SHA256.hash(data: Data(key.exposed.utf8)).map { String(format: "%02x", $0) }.joined()
        let entry = try OperatorEntry(name: "sara", permission: .support, key: key)
        #expect("\(entry)" == "sara support \(digest)")
        #expect(!"\(key) \(String(reflecting: key)) \(entry)".contains(key.exposed))
        #expect(try Operators(parsing: "\(entry)").entry(with: key) == entry)
    }

    @Test func aKeyIsOneOfItsKindAlone() {
        let key = OperatorKey().exposed
        #expect(OperatorKey(key)?.exposed == key)
        #expect(APIKey(key) == nil)
        #expect(OperatorKey(APIKey().exposed) == nil)
        for other in ["", "payrelay_op_", "payrelay_op_password", String(key.dropLast()), key + "A", " " + key] {
            #expect(OperatorKey(other) == nil, "\(other)")
        }
    }

    @Test func anOperatorMayHaveSeveralKeysWithRolesOfTheirOwn() throws {
        let (old, new) = (OperatorKey(), OperatorKey())
        let operators = try Operators(
            parsing: """
                # until the first of May
                \(OperatorEntry(name: "sara", permission: .viewer, key: old))

                \(OperatorEntry(name: "sara", permission: .finance, key: new)); \(OperatorEntry(name: "b", permission: .support, key: OperatorKey()))
                """)
        #expect(operators.entries.map(\.name) == ["sara", "sara", "b"])
        #expect(operators.entry(with: old)?.role == .viewer)
        #expect(operators.entry(with: new)?.role == .finance)
        #expect(operators.entry(with: OperatorKey()) == nil)
    }

    @Test func everyInvalidLineIsReportedWithoutItsDigest() throws {
        let key = OperatorKey()
        let zeros = String(repeating: "0", count: 64)
        do {
            _ = try Operators(
                parsing: """
                    sara support
                    sara boss \(zeros)
                    s<b>ara viewer \(zeros)
                    sara viewer \(key.exposed)
                    sara viewer \(zeros)
                    omar viewer \(zeros)
                    """)
            Issue.record("it was accepted")
        } catch {
            #expect(error.lines.map(\.number) == [1, 2, 3, 4, 6])
            #expect(!"\(error.lines)".contains(key.exposed))
        }
    }

    @Test func eachRoleHasThePermissionsOfTheRolesBefore() {
        #expect(OperatorRole.viewer < .support && OperatorRole.support < .finance)
        #expect(OperatorRole.allCases.max() == .finance)
    }
}
