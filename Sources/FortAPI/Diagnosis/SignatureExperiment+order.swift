import Primitives

extension SignatureExperiment {
    /// What comes after what.
    static let order: [SignatureExperiment] = [
        SignatureExperiment(
            "pairs-sorted",
            "The joined `name=value` texts were sorted, and not the names: `merchant_extra1=` then stands before `merchant_extra=`. FORT sorts the names."
        ) { (recipe: inout SignatureRecipe) in recipe.order = .pairs },
        SignatureExperiment(
            "unsorted", "The parameters were signed in the order of the message. FORT sorts them by name, ascending."
        ) { (recipe: inout SignatureRecipe) in recipe.order = .asWritten },
        SignatureExperiment(
            "sorted-ignoring-case",
            "The names were sorted without regard to case. FORT sorts them by byte: every capital letter stands before `a`."
        ) { (recipe: inout SignatureRecipe) in recipe.order = .namesIgnoringCase },
        SignatureExperiment(
            "inner-names-sorted",
            "The names inside of objects were sorted for the signature only. They must be signed in the order in which they are sent."
        ) { (recipe: inout SignatureRecipe) in recipe.message = recipe.message.withInnerNamesSorted },
        SignatureExperiment(
            "inner-names-in-another-order",
            "The names inside of an object were signed in another order than the one in which they are sent. Sign and write the JSON from one ordered structure; many languages' dictionaries have no order."
        ) { recipe in
            recipe.message.innerOrders.filter { $0 != recipe.message && $0 != recipe.message.withInnerNamesSorted }
                .map { message in
                    let orders = message.members.compactMap { member in
                        member.value.objectValue.map { "\(member.name): \($0.names.joined(separator: ", "))" }
                    }
                    return Variant(recipe, detail: orders.joined(separator: "; ")) { $0.message = message }
                }
        },
    ]
}

extension JSONObject {
    fileprivate var withInnerNamesSorted: JSONObject {
        JSONObject(members.map { ($0.name, $0.value.objectValue.map { .object($0.sortedByName()) } ?? $0.value) })
    }

    /// Every order of the members of every object in this one, this one's own included. Objects of more than three members,
    /// and those that come after the second, keep theirs: FORT's two have three.
    fileprivate var innerOrders: [JSONObject] {
        let reordered = members.filter { (2...3).contains($0.value.objectValue?.members.count ?? 0) }.prefix(2)
        return reordered.reduce(into: [self]) { orders, member in
            guard let inner = member.value.objectValue else { return }
            orders = orders.flatMap { order in
                inner.permutations.map { permutation in
                    var changed = order
                    changed[member.name] = .object(permutation)
                    return changed
                }
            }
        }
    }

    private var permutations: [JSONObject] {
        guard members.count > 1 else { return [self] }
        return members.flatMap { first in
            var rest = self
            rest[first.name] = nil
            return rest.permutations.map {
                JSONObject([(first.name, first.value)] + $0.members.map { ($0.name, $0.value) })
            }
        }
    }
}
