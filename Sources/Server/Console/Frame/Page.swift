import AccessControl
package import HTTPListener
package import HTTPTypes
import PaymentRelay
import PayrelayAPI
import RelayServer

/// A screen's response.
package enum ConsoleAnswer: Sendable {
    case page(Page)
    /// A `303 See Other`, so that reloading the next page does not repeat the request.
    ///
    /// - notice: a sentence that is shown once, on the operator's next page.
    case redirect(to: String, notice: Notice? = nil)
    /// - filename: the file name of a download, for the log.
    case stream(Answer, filename: String? = nil)
}

/// A sentence that is shown once.
package struct Notice: Sendable {
    package let text: String
    /// The CSS class of the notice: `good`, `bad`, `open` for an unknown outcome, or `quiet`.
    package let tone: String

    package init(text: String, tone: String) {
        self.text = text
        self.tone = tone
    }

    package var view: View { ["text": .text(text), "tone": .text(tone)] }
}

/// A page: a template and its data.
package struct Page: Sendable {
    package var status: HTTPResponse.Status
    /// Header fields in addition to those of every page.
    package var fields: HTTPFields
    package let template: String
    package let title: String
    /// The menu entry that the page belongs to.
    package var menu: String?
    package let view: [String: View]

    package init(
        status: HTTPResponse.Status = .ok, fields: HTTPFields = [:], template: String, title: String,
        menu: String? = nil, view: [String: View]
    ) {
        self.status = status
        self.fields = fields
        self.template = template
        self.title = title
        self.menu = menu
        self.view = view
    }
}

/// An error that is shown as a page.
package struct ConsoleError: Error, Sendable {
    package let status: HTTPResponse.Status
    package let title: String
    package let detail: String
    package var fields: HTTPFields

    package init(status: HTTPResponse.Status, title: String, detail: String, fields: HTTPFields = [:]) {
        self.status = status
        self.title = title
        self.detail = detail
        self.fields = fields
    }

    /// Returns the error as a page.
    ///
    /// - Parameter back: the page that the request was about.
    func page(back: (name: String, path: String)? = nil) -> Page {
        let back = status == .notFound ? nil : back
        return Page(
            status: status, fields: fields, template: "error", title: title,
            view: [
                "detail": .text(detail),
                "back": back.map { ["name": .text($0.name), "path": .text($0.path)] } ?? .none,
            ])
    }
}

extension ConsoleError {
    /// Creates the error page for a problem that the listener found, in words for the operator.
    init(_ problem: Problem) {
        status = problem.status
        fields = [:]
        switch problem.kind {
        case .crossSite:
            title = "The form is of another site"
            detail =
                "Nothing was done. Open the console in a window of its own, and repeat there what you wanted to do."
        case .foreignHost:
            title = "The console is not under this name"
            detail =
                "Open it by its address, as localhost, or under a name that PAYRELAY_ADMIN_HOSTS lists. Who runs the relay can add a name there."
        case .notFound: (title, detail) = (Self.notFound.title, Self.notFound.detail)
        case .bodyTooLarge: (title, detail) = (Self.tooLarge.title, Self.tooLarge.detail)
        default:
            title = problem.kind.title
            detail = problem.detail
        }
        if let seconds = problem.retryAfterSeconds { fields[.retryAfter] = String(seconds) }
        if let allow = problem.allow { fields[.allow] = allow }
    }

    package static let overloaded = ConsoleError(
        status: .serviceUnavailable, title: "Too many searches are under way",
        detail: "Few run at once, so that they keep no payment waiting. Try again in a moment.",
        fields: [.retryAfter: "1"])

    package static let notFound = ConsoleError(
        status: .notFound, title: "There is no such page",
        detail: "Open the start page, or look a payment up by its reference.")

    static func noPayment(_ reference: String) -> ConsoleError {
        ConsoleError(
            status: .notFound, title: "No such payment",
            detail: "The journal has no payment with the reference “\(reference)”. References are case-sensitive.")
    }

    package static func invalid(_ detail: String) -> ConsoleError {
        ConsoleError(status: .badRequest, title: "The form could not be read", detail: detail)
    }

    /// Returns the error for a form that was opened before the payment changed.
    package static func changedSince(_ what: String) -> ConsoleError {
        ConsoleError(
            status: .conflict, title: "The payment has changed since you opened this form",
            detail: "\(what)Nothing was done this time. Open the payment, and decide again.")
    }

    static let customerChangedSince = ConsoleError(
        status: .conflict, title: "The customer's payments have changed since you opened this form",
        detail: "Nothing was erased. Open the form again, and decide again.")

    static let forgedForm = ConsoleError(
        status: .forbidden, title: "The form is not of this session",
        detail: "Nothing was done. Open the page again and repeat what you did.")

    package static let tooLarge = ConsoleError(
        status: .contentTooLarge, title: "The form is too large",
        detail: "A form may have \(FormBody.sizeLimit) bytes.")

    package static let journal = ConsoleError(
        status: .serviceUnavailable, title: "The journal could not be read",
        detail: "Try again in a moment. If it stays so, look at the health page and at the relay's log.")

    static let unreadableRecord = ConsoleError(
        status: .internalServerError, title: "The payment's record cannot be read",
        detail:
            "No version of payrelay wrote the row in the journal. The payment is set aside; the runbook says what to do."
    )

    package static let unexpected = ConsoleError(
        status: .internalServerError, title: "Something went wrong",
        detail: "The relay's log has the reason, under the request's identifier.")

    static func notPermitted(_ role: OperatorRole, _ action: OperatorAction) -> ConsoleError {
        ConsoleError(
            status: .forbidden, title: "Your role does not permit this",
            detail: "It takes the role \(action.role.rawValue), and yours is \(role.rawValue). Nothing was done.")
    }
}
