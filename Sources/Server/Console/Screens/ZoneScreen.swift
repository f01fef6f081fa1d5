import HTTPTypes
import PaymentRelay
import PayrelayPrimitives

/// `POST /console/zone`: the zone of an operator's times, for as long as the session lasts. None is the browser's.
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
