import FoundationEssentials
import PayrelayPrimitives

/// A receipt: one page of PDF 1.4 with a few lines of ASCII.
struct ReceiptPDF {
    let bytes: [UInt8]

    /// Creates the receipt of a bill; `nil` if there is no such bill.
    ///
    /// - Parameter file: the bill's number, followed by `.pdf`.
    init?(_ file: String, of sandbox: MasterpassSandbox) async {
        guard file.ends(with: ".pdf") else { return nil }
        let name = file.parts(at: ".").first.map(String.init) ?? ""
        guard let payment = await sandbox.payment(ofBill: name), case .paid(let bill) = payment.state else {
            return nil
        }
        let paid = Date(timeIntervalSince1970: Double(bill.milliseconds) / 1_000)
        self.init(lines: [
            "Masterpass sandbox: no money was paid", "Bill \(bill.identifier)", payment.payee.name,
            "Amount \(kopecksAsHryvnias(payment.amount.value)) UAH",
            "Commission \(kopecksAsHryvnias(payment.commission.value)) UAH", "Paid \(paid.rfc3339)",
        ])
    }

    /// - Parameter lines: ASCII text without brackets and backslashes, so without any text from a request.
    private init(lines: [String]) {
        let text = lines.map { "(\($0)) Tj T*" }.joined(separator: "\n")
        let stream = "BT /F1 12 Tf 16 TL 72 720 Td\n\(text)\nET"
        let objects = [
            "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
            "<</Length \(stream.utf8.count)>>\nstream\n\(stream)\nendstream",
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        ]
        var pdf = "%PDF-1.4\n"
        var table = "0000000000 65535 f \n"
        for (place, object) in objects.enumerated() {
            let offset = String(pdf.utf8.count)
            table += String(repeating: "0", count: 10 - offset.utf8.count) + offset + " 00000 n \n"
            pdf += "\(place + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = pdf.utf8.count
        pdf += "xref\n0 6\n\(table)trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n"
        bytes = Array(pdf.utf8)
    }
}
