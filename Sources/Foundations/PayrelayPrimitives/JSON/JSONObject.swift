/// The members of a JSON object, in the order in which they were written. Names are unique.
public struct JSONObject: Hashable, Sendable {
    /// A name and its value.
    public struct Member: Hashable, Sendable {
        public let name: String
        public var value: JSON

        package init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }

        public static func == (one: Member, other: Member) -> Bool {
            one.name.isExactly(other.name) && one.value == other.value
        }
    }

    public private(set) var members: [Member]

    /// An object without members.
    public init() {
        members = []
    }

    /// Creates an object with these members. If a name is repeated, its last value takes the place of the first.
    public init(_ pairs: some Sequence<(String, JSON)>) {
        members = []
        members.reserveCapacity(pairs.underestimatedCount)
        for (name, value) in pairs { self[name] = value }
    }

    /// Creates an object from members whose names are known to be unique.
    package init(distinct members: [Member]) {
        self.members = members
    }

    /// The value of a member. Setting an unknown name appends a member; setting `nil` removes the member.
    public subscript(name: String) -> JSON? {
        get { place(of: name).map { members[$0].value } }
        set {
            switch (place(of: name), newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Returns the index of a member. A linear search is enough, because objects have few members. Most names
    /// differ in length, so their letters need not be compared.
    private func place(of name: String) -> Int? {
        name.withBytes { name in
            // By index, so that no member is copied.
            members.indices.first { place in
                members[place].name.utf8.count == name.count
                    && members[place].name.withBytes { $0.hasSameBytes(as: name) }
            }
        }
    }

    public var names: [String] { members.map(\.name) }

    public var isEmpty: Bool { members.isEmpty }

    /// Returns the same members with their names sorted by UTF-8 bytes, the order in which FORT's signature
    /// covers them.
    public func sortedByName() -> JSONObject {
        JSONObject(distinct: members.sorted { $0.name.precedesByByte($1.name) })
    }

    /// Returns the members for which the closure returns true, in their order.
    public func filter(_ isWanted: (Member) throws -> Bool) rethrows -> JSONObject {
        JSONObject(distinct: try members.filter(isWanted))
    }

    /// Returns the same names with transformed values.
    public func mapValues(_ transform: (JSON) throws -> JSON) rethrows -> JSONObject {
        JSONObject(distinct: try members.map { Member(name: $0.name, value: try transform($0.value)) })
    }
}

extension String {
    fileprivate func precedesByByte(_ other: String) -> Bool {
        withBytes { own in other.withBytes { own.lexicographicallyPrecedes($0) } }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral members: (String, JSON)...) {
        self.init(members)
    }
}
