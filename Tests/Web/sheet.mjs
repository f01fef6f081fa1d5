// An ApplePaySession that behaves as Apple's does: what is called at the wrong time throws, a failure without errors is
// final, and one with errors leaves the sheet open for another try.

export class ApplePayError {
    constructor(code, contactField, message) {
        Object.assign(this, { code, contactField, message })
    }
}

const validationURL = 'https://apple-pay-gateway.apple.com/paymentservices/startSession'

/**
 * @param customer what is done with a sheet that can be authorized, and again after each correction.
 */
export function sheets(clock, customer) {
    const all = []
    class ApplePaySession {
        static STATUS_SUCCESS = 0
        static STATUS_FAILURE = 1
        static supportsVersion = version => version <= 14
        static canMakePayments = () => true

        state = 'idle'
        completions = []
        /** What was called at the wrong time. */
        misuses = []

        constructor(version, request) {
            Object.assign(this, { version, request })
        }

        #require(state) {
            if (this.state === state) return
            this.misuses.push(`${state} is needed, and it is ${this.state}`)
            throw new Error('InvalidAccessError')
        }

        get #isOpen() { return this.state === 'active' || this.state === 'authorized' }

        begin() {
            this.#require('idle')
            this.state = 'active'
            all.push(this)
            queueMicrotask(() => this.onvalidatemerchant({ validationURL }))
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

        /** By the customer, or by Apple where the page takes too long. */
        cancel() {
            if (!this.#isOpen) return
            this.state = 'canceled'
            this.oncancel({})
        }

        abort() {
            if (!this.#isOpen) this.#require('active')
            this.state = 'aborted'
        }

        completePayment(result) {
            this.#require('authorized')
            this.completions.push({ ...result, after: clock.now() - this.authorizedAt })
            const isFinal = result.status === 0 || result.errors.length === 0
            this.state = isFinal ? 'completed' : 'active'
            if (!isFinal) customer(this)
        }
    }
    return { ApplePaySession, all }
}
