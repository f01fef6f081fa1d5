import FortDocuments
import Testing

/// Checks that the tables are read completely: the same guide is there as text and as tables, and the two are parsed
/// differently.
@Suite(.enabled(if: SharedDocuments.areThere)) struct DocumentedTableTests {
    @Test(arguments: [
        (FortDocument.guideTokenRequest, 6), (.guideTokenResponse, 10), (.guideOperationRequest, 21),
        (.guideOperationResponse, 27), (.operationsRequest, 23), (.operationsResponse, 28), (.tabularTokenRequest, 6),
        (.tabularTokenResponse, 10), (.tabularOperationRequest, 21), (.tabularOperationResponse, 27),
        (.webRequest, 34), (.webResponse, 27), (.sdkRequest, 23), (.sdkResponse, 28),
    ])
    func everyRowIsRead(document: FortDocument, count: Int) throws {
        let table = try document.table()
        #expect(table.fields.count == count, "\(document.rawValue): \(table.names)")
        #expect(Set(table.names).count == table.names.count)
        for field in table.fields {
            #expect(field.maximumLength != nil || field.type == "object", "\(field.name)")
            #expect(
                (field.isMandatory != nil) == document.isRequest || document.rawValue.hasSuffix("5.4.2"),
                "\(field.name)")
        }
    }

    @Test(arguments: [
        (FortDocument.guideTokenRequest, FortDocument.tabularTokenRequest),
        (.guideTokenResponse, .tabularTokenResponse), (.guideOperationRequest, .tabularOperationRequest),
        (.guideOperationResponse, .tabularOperationResponse),
    ])
    func theTwoFormsOfTheGuideAgree(pages: FortDocument, tabular: FortDocument) throws {
        let (pages, tabular) = (try pages.table(), try tabular.table())
        #expect(pages.names == tabular.names)
        for (one, other) in zip(pages.fields, tabular.fields) {
            #expect(one.type == other.type && one.isMandatory == other.isMandatory, "\(one.name)")
            #expect(one.maximumLength == other.maximumLength, "\(one.name)")
            #expect(one.values == other.values && one.conditions == other.conditions, "\(one.name)")
            // One of the two was read from a picture, in which some signs look like others. It cannot have more signs than the
            // other.
            #expect(one.characters.count >= other.characters.count, "\(one.name)")
        }
    }

    @Test func signsValuesAndConditionsAreRead() throws {
        let guide = try FortDocument.guideOperationRequest.table()
        let page = try FortDocument.operationsRequest.table()
        #expect(guide["order_description"]?.characters == Set("#'/._-:$ "))
        #expect(page["order_description"]?.characters == Set("#'/._-:$ "))
        #expect(guide["customer_name"]?.characters == Set(#"_\/-.'"#))
        #expect(page["customer_name"]?.characters == Set(#"_\/-.' "#))
        #expect(page["merchant_extra"]?.characters == guide["merchant_extra"]?.characters)
        #expect(guide["device_id"] == nil && guide["eci"]?.values == ["ECOMMERCE"])
        #expect(page["eci"]?.values == ["ECOMMERCE", "MOTO"] && page["remember_me"]?.values == ["YES", "No"])
        #expect(page["command"]?.values == ["AUTHORIZATION", "PURCHASE"] && page["language"]?.values == ["en", "ar"])
        #expect(page["payment_option"]?.conditions["KNET"] == "for Purchase operations only")
        #expect(guide["payment_option"]?.conditions["MADA"] == "for Purchase operations and eci Ecommerce only")
        #expect(try FortDocument.guideTokenRequest.table()["device_id"]?.characters == ["-"])
        #expect(try FortDocument.sdkRequest.table()["merchant_reference"]?.characters == Set("-_."))
        #expect(try FortDocument.webRequest.table()["apple_type"]?.values == ["credit", "debit", "prepaid", "store"])
    }
}
