import HTTPTypes

/// What a screen answers.
enum ConsoleAnswer: Sendable {
    case page(Page)
    /// `303 See Other`, so that reloading the next page sends nothing again.
    ///
    /// - notice: shown once, on the operator's next page.
    case redirect(to: String, notice: String? = nil)
}

/// A page: a template, and what fills it.
struct Page: Sendable {
    var status = HTTPResponse.Status.ok
    let template: String
    let title: String
    /// The entry of the menu that it belongs to.
    var menu: String?
    let view: [String: View]
}

/// An error that is shown as a page.
struct ConsoleError: Error, Sendable {
    let status: HTTPResponse.Status
    let title: String
    let detail: String
    var fields: HTTPFields = [:]

    var page: Page {
        Page(status: status, template: "error", title: title, view: ["detail": .text(detail)])
    }
}

extension ConsoleError {
    static let notFound = ConsoleError(
        status: .notFound, title: "There is no such page",
        detail: "Open the start page, or look a payment up by its reference.")

    static func noPayment(_ reference: String) -> ConsoleError {
        ConsoleError(
            status: .notFound, title: "No such payment",
            detail: "The journal has no payment with the reference “\(reference)”. References are case-sensitive.")
    }

    static func invalid(_ detail: String) -> ConsoleError {
        ConsoleError(status: .badRequest, title: "The form could not be read", detail: detail)
    }

    static let forgedForm = ConsoleError(
        status: .forbidden, title: "The form is not of this session",
        detail: "Nothing was done. Open the page again and repeat what you did.")

    static let tooLarge = ConsoleError(
        status: .contentTooLarge, title: "The form is too large",
        detail: "A form may have \(FormBody.sizeLimit) bytes.")

    static let journal = ConsoleError(
        status: .serviceUnavailable, title: "The journal could not be read",
        detail: "Try again in a moment. If it stays so, look at the health page and at the relay's log.")

    static let unreadableRecord = ConsoleError(
        status: .internalServerError, title: "The payment's record cannot be read",
        detail:
            "No version of payrelay wrote the row in the journal. The payment is set aside; the runbook says what to do."
    )

    static let unexpected = ConsoleError(
        status: .internalServerError, title: "Something went wrong",
        detail: "The relay's log has the reason, under the request's identifier.")

    static func notPermitted(_ role: String, needed: String) -> ConsoleError {
        ConsoleError(
            status: .forbidden, title: "Your role does not permit this",
            detail: "It takes the role \(needed), and yours is \(role). Nothing was done.")
    }
}
