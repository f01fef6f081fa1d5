// The relay as openapi.yaml describes it, and a network that loses, delays and damages messages. A seed decides everything.

import { answer, lost, never, order, problem, receipt } from './page.mjs'

export class RelayModel {
    /** How often the customer was charged. */
    charges = 0
    /** Every outcome that left the relay, also in an answer that was lost. */
    said = new Set()

    #clock
    #draw
    #payment
    /** Whether the payment was made elsewhere, which no order token sees: its claim is lost in a failover, or was never here. */
    #isHidden = false
    #character

    constructor(clock, draw) {
        this.#clock = clock
        this.#draw = draw
        const pick = (...values) => values[Math.floor(draw() * values.length)]
        this.#character = {
            /** How often something goes wrong on the way. */
            faults: pick(0, 0.1, 0.4, 0.8),
            outcome: pick('captured', 'captured', 'declined'),
            /** How long FORT takes; beyond 20 seconds the relay answers 202. */
            latency: pick(0, 300, 3_000, 15_000, 40_000),
            /** What it refuses from the first request on, or from a later one: an order token expires in between. */
            refusal: pick(undefined, undefined, undefined, [422, 'token-refused'], [400, 'invalid-fields'], [401, 'not-authenticated']),
            refusesFrom: pick(0, 0, 1, 2),
            busy: pick(0, 0, 0.3, 1),
        }
        // The reference belongs to an earlier payment of another amount, or to an external payment.
        if (draw() < 0.15) {
            this.earlier = { body: '', amount: 9000 }
            this.#settle(this.earlier, pick(0, 0, 60_000))
            this.#payment = this.earlier
            this.#isHidden = draw() < 0.5
        }
    }

    /** One request and its answer, over the network. */
    async reply(request) {
        const { faults } = this.#character
        const fault = this.#draw() < faults ? Math.floor(this.#draw() * 11) : undefined
        switch (fault) {
        case 0: throw lost
        case 1: return never()
        case 2: return answer(502, '<html>', { 'content-type': 'text/html' })
        case 3:
            // The request arrives long after the page has given up.
            this.#clock.sleep(this.#draw() * 60_000).then(() => this.#take(request))
            return this.#draw() < 0.5 ? never() : Promise.reject(lost)
        case 4: await this.#clock.sleep(this.#draw() * 5_000); break
        default:
        }
        const response = await this.#take(request)
        switch (fault) {
        case 5: throw lost
        case 6: return never()
        case 7: return answer(504, '<html>', { 'content-type': 'text/html' })
        case 8: return answer(200, receipt('captured', { merchant_reference: 'ORDER-1002' }))
        case 9: {
            const whole = await response.text()
            return new Response(whole.slice(0, whole.length / 2), response)
        }
        case 10: return answer(200, receipt('captured', { amount: 1 }))
        default: return response
        }
    }

    async #take({ method, body }) {
        const { refusal, refusesFrom, busy } = this.#character
        this.taken = (this.taken ?? 0) + 1
        if (this.#draw() < busy) {
            return problem(this.#draw() < 0.5 ? 503 : 429, 'too-busy', {}, this.#draw() < 0.5 ? { 'retry-after': '1' } : {})
        }
        if (refusal && this.taken > refusesFrom && !(method === 'GET' && refusal[0] !== 401)) {
            const isStored = this.#payment && !this.#isHidden && refusal[0] !== 401
            if (!isStored) return problem(...refusal)
        }
        return method === 'POST' ? this.#pay(body) : this.#show()
    }

    async #pay(body) {
        const { latency, outcome } = this.#character
        if (this.#payment) {
            if (this.#isHidden || this.#payment.body !== body) return problem(422, 'reference-taken')
            return this.#payment.outcome ? this.#receipt() : problem(409, 'in-flight', {}, { 'retry-after': '1' })
        }
        this.#payment = { body, amount: order.amount }
        const settled = this.#settle(this.#payment, latency)
        // An external payment that was declined does not keep a reference.
        if (outcome === 'captured' && this.#draw() < 0.2) this.#clock.sleep(this.#draw() * 20_000).then(() => { this.#isHidden = true })
        await Promise.race([settled, this.#clock.sleep(20_000)])
        return this.#payment.outcome ? this.#receipt() : this.#open()
    }

    async #settle(payment, latency) {
        const { outcome } = this.#character
        if (latency > 0) await this.#clock.sleep(latency)
        payment.outcome = outcome
        if (outcome === 'captured') this.charges += 1
    }

    #show() {
        if (!this.#payment || this.#isHidden) return problem(404, 'no-such-payment')
        return this.#payment.outcome ? this.#receipt() : this.#open()
    }

    #receipt() {
        this.said.add(this.#payment.outcome)
        return answer(200, receipt(this.#payment.outcome, { amount: this.#payment.amount }))
    }

    #open() { return answer(202, receipt('uncertain', { amount: this.#payment.amount }), { 'retry-after': '2' }) }
}
