import AccessControl
import PayrelayPrimitives
import PaymentRelay

/// The rule for a body that is sent with an order token: it may hold the order as the token pins it, and the customer's
/// own fields. Every other field is refused by its name.
///
/// It works on the body as it was sent, before the order is read from it. Pinned fields that the body leaves out are
/// added, so that they are checked, fingerprinted and sent as any other field is.
public struct OrderTokenRule {
    let order: PinnedOrder
    /// The customer's own fields, and the members of a request that are this service's.
    private let customersOwn: Set<String>

    /// - Parameter fields: of the orders that the gateways take.
    init(order: PinnedOrder, fields: [OrderField]) {
        self.order = order
        customersOwn = Set(fields.filter(\.isCustomersOwn).map(\.name)).union(["token", "application_data_hash"])
    }

    /// The claims that pin: every field of an order that the gateway takes, and the two members of a request that are this
    /// service's own.
    public static func claims(orderFields: [String]) -> Set<String> {
        Set(orderFields).union(["account", "application_data_hash"])
    }

    /// The body with what the token pins.
    ///
    /// - Throws: 403 with every member that differs from what is pinned or is not allowed, and with `command` where the token
    ///   leaves it open.
    func held(_ body: JSON) throws(Problem) -> JSON {
        // A body that is no object is refused when it is read.
        guard var members = body.objectValue else { return body }
        var errors: [ValidationError] = []
        if order.fields["command"] == nil {
            errors.append(
                ValidationError(field: "command", detail: "must be pinned by the order token, among its claims"))
        }
        for member in members.members where member.name != "command" || order.fields["command"] != nil {
            if let pinned = order.fields[member.name] {
                if !Self.says(member, pinned) {
                    errors.append(ValidationError(field: member.name, detail: "is not what the order token says"))
                }
            } else if !customersOwn.contains(member.name) {
                errors.append(ValidationError(field: member.name, detail: "is not allowed with an order token"))
            }
        }
        guard errors.isEmpty else { throw .otherOrder(errors) }
        for (name, text) in order.fields where members[name] == nil { members[name] = .string(text) }
        return .object(members)
    }

    /// Compared byte by byte in UTF-8, as it is sent: two texts that look alike are two texts. An amount may be a number, and is
    /// compared by its digits.
    private static func says(_ member: JSONObject.Member, _ pinned: String) -> Bool {
        switch (member.name, member.value) {
        case (_, .string(let text)), ("amount", .number(let text)): text.utf8.elementsEqual(pinned.utf8)
        default: false
        }
    }
}
