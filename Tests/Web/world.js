// A page without a browser: a clock that moves only when everything waits, an ApplePaySession that behaves as Apple's does, and
// answers like the relay's.

/** A small generator of numbers, the same for the same seed. */
export function random(seed) {
    let state = seed >>> 0
    return () => {
        state = (state + 0x6D2B79F5) >>> 0
        let mixed = Math.imul(state ^ (state >>> 15), state | 1)
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
    }
}

/** Time that passes at once, and in order. */
export class Clock {
    #now = 1_000
    #waiting = []

    now = () => this.#now

    sleep = (milliseconds, signal) => new Promise(resolve => {
        if (signal?.aborted) return resolve()
        const wait = { at: this.#now + Math.max(0, milliseconds), resolve }
        this.#waiting.push(wait)
        signal?.addEventListener('abort', () => {
            this.#waiting = this.#waiting.filter(other => other !== wait)
            resolve()
        }, { once: true })
    })

    /** Lets time pass until the promise is settled. */
    async run(promise) {
        let isSettled = false
        const settled = promise.then(value => ({ value }), error => ({ error })).finally(() => { isSettled = true })
        for (;;) {
            // Everything that can go on without time goes on first. Bodies of answers come by the event loop.
            for (let turn = 0; turn < 3 && !isSettled; turn++) await new Promise(resolve => setImmediate(resolve))
            if (isSettled) return settled
            this.#waiting.sort((one, other) => one.at - other.at)
            const next = this.#waiting.shift()
            if (!next) throw new Error('it waits for nothing that could come')
            this.#now = Math.max(this.#now, next.at)
            next.resolve()
        }
    }
}

export class ApplePayError {
    constructor(code, contactField, message) {
        Object.assign(this, { code, contactField, message })
    }
}

/** Apple's states: what is called at another time throws, as it does in Safari. */
export function sheets(clock, customer = async () => {}) {
    const all = []
    class ApplePaySession {
        static STATUS_SUCCESS = 0
        static STATUS_FAILURE = 1
        static supportsVersion = version => version <= 14
        static canMakePayments = () => true

        state = 'idle'
        completions = []

        constructor(version, request) {
            Object.assign(this, { version, request })
        }

        #require(state) {
            if (this.state !== state) throw new Error(`InvalidAccessError: ${this.state}, not ${state}`)
        }

        begin() {
            this.#require('idle')
            if (all.some(sheet => ['active', 'authorized'].includes(sheet.state))) throw new Error('another sheet is open')
            this.state = 'active'
            all.push(this)
            queueMicrotask(() => this.onvalidatemerchant({ validationURL: 'https://apple-pay-gateway.apple.com/paymentservices/startSession' }))
        }

        completeMerchantValidation(session) {
            this.#require('active')
            if (!session || typeof session !== 'object') throw new Error('TypeError: no session')
            this.merchantSession = session
            customer(this)
        }

        authorize(payment) {
            this.#require('active')
            this.state = 'authorized'
            this.authorizedAt = clock.now()
            this.onpaymentauthorized({ payment })
        }

        cancel() {
            if (!['active', 'authorized'].includes(this.state)) return
            this.state = 'canceled'
            this.oncancel({})
        }

        abort() {
            if (!['active', 'authorized'].includes(this.state)) throw new Error(`InvalidAccessError: ${this.state}`)
            this.state = 'aborted'
        }

        completePayment(result) {
            this.#require('authorized')
            this.completions.push({ ...result, at: clock.now() })
            const isOpen = result.status === 1 && result.errors.length > 0 && result.errors.every(error => error.code !== 'unknown')
            this.state = isOpen ? 'active' : 'completed'
            if (isOpen) customer(this)
        }
    }
    return { ApplePaySession, all }
}

export const order = Object.freeze({
    merchant_reference: 'ORDER-1001', command: 'PURCHASE', amount: 10000, currency: 'AED', language: 'en',
    customer_email: 'sara@example.com',
})

export const paymentRequest = Object.freeze({
    countryCode: 'AE', currencyCode: 'AED', merchantCapabilities: ['supports3DS'], supportedNetworks: ['visa'],
    total: { label: 'Example Shop', amount: '100.00' },
})

export const token = Object.freeze({ paymentData: { version: 'EC_v1', data: 'c2VjcmV0' }, transactionIdentifier: '2686' })

export const bearer = 'header.claims.signature'

export const receipt = (outcome, more = {}) => ({
    merchant_reference: order.merchant_reference, command: order.command, outcome, amount: order.amount, currency: order.currency, ...more,
})

export const answer = (status, body, headers = {}) => new Response(JSON.stringify(body), {
    status, headers: { 'content-type': status < 400 ? 'application/json' : 'application/problem+json', ...headers },
})

export const problem = (status, slug, more = {}, headers = {}) => answer(status, {
    type: `urn:payrelay:problem:${slug}`, title: 'A title', status, detail: 'A detail.', ...more,
}, headers)

/** The page: its relay answers with `reply`, which gets each request and may throw, wait, or never answer. */
export function page(reply, { customer = sheet => sheet.authorize({ token }), ...more } = {}) {
    const clock = new Clock()
    const { ApplePaySession, all } = sheets(clock, customer)
    const requests = []
    const fetch = async (path, init) => {
        const request = { path, ...init, at: clock.now() }
        requests.push(request)
        if (path === '/v1/apple-pay/sessions' && !more.sessions) return answer(200, { merchantSessionIdentifier: 'S' })
        const reply_ = path === '/v1/apple-pay/sessions' ? more.sessions : reply
        return await Promise.race([
            reply_(request, requests),
            new Promise((_, reject) => init.signal.addEventListener('abort', () => reject(new Error('AbortError')), { once: true })),
        ])
    }
    const environment = {
        fetch, now: clock.now, sleep: clock.sleep, random: more.random ?? random(1), ApplePaySession, ApplePayError, ...more.environment,
    }
    return {
        clock, requests, sheets: all, environment,
        get posts() { return requests.filter(({ method, path }) => method === 'POST' && path === '/v1/payments') },
        get reads() { return requests.filter(({ method }) => method === 'GET') },
    }
}
