import AccessControl
import PaymentRelay
import PayrelayPrimitives

/// The rule for a body that is sent with an order token: it may contain the order as the token pins it, and the
/// fields that the customer may set. Every other field is rejected by name.
///
/// The rule is applied to the body as it was sent, before the order is read from it. Pinned fields that the body
/// leaves out are added, so they are checked, fingerprinted and sent like any other field.
public struct OrderTokenRule {
    let order: PinnedOrder
    /// The fields that the customer may set, and the members of a request that belong to payrelay itself.
    private let customersOwn: Set<String>

    /// - Parameter fields: the fields of the orders that the gateways accept.
    init(order: PinnedOrder, fields: [OrderField]) {
        self.order = order
        customersOwn = Set(fields.filter(\.isCustomersOwn).map(\.name)).union(["token", "application_data_hash"])
    }

    /// The claims that pin a field: every field of an order that the gateway accepts, and the two members of a
    /// request that belong to payrelay itself.
    public static func claims(orderFields: [String]) -> Set<String> {
        Set(orderFields).union(["account", "application_data_hash"])
    }

    /// Returns the body with the fields that the token pins.
    ///
    /// - Throws: 403 with every member that differs from its pinned value or is not allowed, and with `command`
    ///   if the token does not pin it.
    func held(_ body: JSON) throws(Problem) -> JSON {
        // A body that is not an object is rejected when the order is read from it.
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

    /// Whether a member has the pinned value. Texts are compared byte by byte in UTF-8, as they are sent: two
    /// texts that only look alike are different. An amount may also be a number, which is compared by its digits.
    private static func says(_ member: JSONObject.Member, _ pinned: String) -> Bool {
        switch (member.name, member.value) {
        case (_, .string(let text)), ("amount", .number(let text)): text.utf8.elementsEqual(pinned.utf8)
        default: false
        }
    }
}
