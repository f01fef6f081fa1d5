import PayrelayPrimitives

/// A company that can be paid, with the fields of its payments.
struct SandboxPayee: Sendable {
    struct Field: Sendable {
        enum Kind: String, Sendable { case digits = "N", characters = "C", date = "D" }

        let title: Title
        let kind: Kind
        let size: Int
        var isForInfo = false

        /// Returns what is wrong with a value; `nil` if it fits the field's kind and size.
        func error(of value: String) -> String? {
            guard value.unicodeScalars.count <= size else { return "has more than \(size) characters" }
            switch kind {
            case .digits: return value.utf8.allSatisfy(\.isASCIIDigit) ? nil : "must be digits"
            case .characters:
                return value.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
                    ? nil : "has control characters"
            case .date: return Self.isDate(value) ? nil : "must be a date as dd.MM.yyyy"
            }
        }

        private static func isDate(_ text: String) -> Bool {
            let parts = text.parts(at: ".")
            guard parts.map(\.utf8.count) == [2, 2, 4], text.utf8.allSatisfy({ $0.isASCIIDigit || $0 == 0x2E }),
                let day = Int(parts[0]), let month = Int(parts[1]), let year = Int(parts[2])
            else { return false }
            return CalendarDay(year: year, month: month, day: day) != nil
        }
    }

    struct Title: Sendable {
        let uk: String
        let en: String
        let ru: String

        var json: JSON { ["uk": .string(uk), "en": .string(en), "ru": .string(ru)] }
    }

    let identifier: String
    let name: String
    let contract: Field
    /// The fields of attributes, at most four.
    var attributes: [Field] = []
    /// The page to which the payee's customers are redirected; `nil` if they pay here.
    var gateway: Title?

    /// Checks the fields of a request.
    ///
    /// - Throws: 2011, or 2100 with the name of the field.
    func check(_ request: SandboxRequest) throws(SandboxError) {
        let number = request.text("contractNumber")
        guard !number.isEmpty else { throw SandboxError(2011) }
        if let error = contract.error(of: number) { throw SandboxError(2100, "contractNumber \(error)") }
        for place in 1...4 {
            let name = "attribute\(place)"
            let field = place <= attributes.count ? attributes[place - 1] : nil
            switch (field, request.optional(name)) {
            case (nil, nil): break
            case (nil, .some): throw SandboxError(2100, "\(name) is not a field of this payee")
            case (let field?, nil): if !field.isForInfo { throw SandboxError(2100, "\(name) is missing") }
            case (let field?, let value?):
                if let error = field.error(of: value) { throw SandboxError(2100, "\(name) \(error)") }
            }
        }
    }

    var json: JSON {
        var json: JSONObject = [
            "payeeId": .string(identifier), "name": .string(name), "contractNumberTitle": contract.title.json,
            "contractNumberType": .string(contract.kind.rawValue), "contractNumberSize": .string("\(contract.size)"),
            "needRedirect": .bool(gateway != nil),
        ]
        for (place, field) in attributes.prefix(4).enumerated() {
            let name = "attribute\(place + 1)"
            json["\(name)Title"] = field.title.json
            json["\(name)Type"] = .string(field.kind.rawValue)
            json["\(name)Size"] = .string("\(field.size)")
            json["\(name)ForInfo"] = .bool(field.isForInfo)
        }
        json["gateway"] = gateway?.json
        return .object(json)
    }
}

extension SandboxPayee {
    /// The sandbox's payees: one for each feature of a payee.
    static let all = [
        SandboxPayee(
            identifier: "1001", name: "Sandbox Electricity",
            contract: Field(
                title: Title(uk: "Особовий рахунок", en: "Account number", ru: "Лицевой счёт"), kind: .digits, size: 10)
        ),
        SandboxPayee(
            identifier: "1002", name: "Sandbox Housing",
            contract: Field(title: Title(uk: "Договір", en: "Contract", ru: "Договор"), kind: .characters, size: 20),
            attributes: [
                Field(
                    title: Title(uk: "Дата рахунку", en: "Date of the bill", ru: "Дата счёта"), kind: .date, size: 10),
                Field(title: Title(uk: "Лічильник", en: "Meter", ru: "Счётчик"), kind: .digits, size: 8),
                Field(
                    title: Title(uk: "Тариф", en: "Tariff", ru: "Тариф"), kind: .characters, size: 16, isForInfo: true),
            ]),
        SandboxPayee(
            identifier: "1003", name: "Sandbox Lottery",
            contract: Field(title: Title(uk: "Квиток", en: "Ticket", ru: "Билет"), kind: .digits, size: 12),
            gateway: Title(
                uk: "https://example.com/uk", en: "https://example.com/en", ru: "https://example.com/ru")),
        mobile,
    ]

    /// The payee of top-ups.
    static let mobile = SandboxPayee(
        identifier: "2001", name: "Sandbox Mobile",
        contract: Field(
            title: Title(uk: "Номер телефону", en: "Phone number", ru: "Номер телефона"), kind: .digits, size: 12))

    static func with(_ identifier: String) -> SandboxPayee? { all.first { $0.identifier.isExactly(identifier) } }
}
