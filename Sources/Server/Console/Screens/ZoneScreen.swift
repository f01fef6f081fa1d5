import HTTPTypes
import PaymentRelay
import PayrelayPrimitives

/// `POST /console/zone`: sets the zone of the operator's times until the session ends. Without a zone, the
/// browser's zone applies.
struct ZoneScreen: Sendable {
    var screens: [Screen] {
        [
            Screen(.post, "/console/zone", .look) { request in
                guard let text = request.form["zone"] else {
                    request.chooseZone(nil)
                    return .redirect(
                        to: Links.start, notice: Notice(text: "Times are of the browser's zone.", tone: "good"))
                }
                guard let zone = ZoneDatabase.named(text) else {
                    throw ConsoleError.invalid("A zone has a name such as Asia/Dubai.")
                }
                request.chooseZone(zone)
                return .redirect(to: Links.start, notice: Notice(text: "Times are of \(zone).", tone: "good"))
            }
        ]
    }
}
