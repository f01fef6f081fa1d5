import JournalContract
import PaymentRelay
import PayrelayPrimitives

extension PlantedBug {
    static let gateways = [
        reporting("a timeout is taken for a decline", sign: "and the journal says declined") { report in
            guard case .unknown = report else { return report }
            return .answered(GatewayAnswer(.declined))
        },
        reporting("a timeout is taken for a request that was not sent", sign: "and reached FORT") { report in
            guard case .unknown(let reason) = report else { return report }
            return .notSent(reason: reason)
        },
        reporting("a duplicate is taken for a decline", sign: "and the journal says declined") { report in
            guard case .answered(let answer) = report, answer.meaning == .duplicate else { return report }
            return .answered(GatewayAnswer(.declined))
        },
        reporting("on hold is taken for success", sign: "and the journal says captured") { report in
            guard case .answered(let answer) = report, case .pending = answer.meaning else { return report }
            return .answered(GatewayAnswer(.captured))
        },
        PlantedBug(
            testDescription: "the charge is sent again after a timeout", sign: "reached FORT by 2 sendings",
            gateway: { inner in
                FaultyGateway(
                    inner: inner,
                    onCharge: { charge in
                        let report = await charge.send()
                        guard case .unknown = report else { return report }
                        return await charge.send()
                    })
            }),
        PlantedBug(
            testDescription: "an answer is believed before its signature is verified", sign: "and FORT has nothing",
            gateway: { inner in
                FaultyGateway(
                    inner: inner,
                    onCharge: { charge in
                        guard case .answered(let answer, _) = await inner.exchange(charge) else {
                            return .unknown(reason: "no answer")
                        }
                        return .answered(answer)
                    })
            }),
    ]

    private static func reporting(
        _ description: String, sign: String,
        _ misread: @escaping @Sendable (Outcome<GatewayAnswer>) -> Outcome<GatewayAnswer>
    ) -> PlantedBug {
        PlantedBug(
            testDescription: description, sign: sign,
            gateway: { inner in
                FaultyGateway(
                    inner: inner, onCharge: { charge in misread(await charge.send()) })
            })
    }
}
