// An ApplePaySession that behaves as Apple's does: calls at the wrong time throw, a failure without errors is final, and a
// failure with errors leaves the sheet open for another attempt.

export class ApplePayError {
    constructor(code, contactField, message) {
        Object.assign(this, { code, contactField, message })
    }
}

const validationURL = 'https://apple-pay-gateway.apple.com/paymentservices/startSession'

const choices = {
    shippingContact: ['onshippingcontactselected', 'completeShippingContactSelection'],
    shippingMethod: ['onshippingmethodselected', 'completeShippingMethodSelection'],
    couponCode: ['oncouponcodechanged', 'completeCouponCodeChange'],
    paymentMethod: ['onpaymentmethodselected', 'completePaymentMethodSelection'],
}

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
            Object.assign(this, { version, request, total: request.total })
        }

        /** The updates that changes were completed with. */
        updates = []

        /**
         * The customer chooses something. Apple's sheet takes no other choice and no authorization until it is completed.
         *
         * @param isForced whether the choice is made although the sheet would not allow it.
         */
        choose(choice, value, isForced = false) {
            if (!isForced) this.#require('active')
            if (!this[choices[choice][0]]) return
            this.state = choice
            this.pending = (this.pending ?? 0) + 1
            this[choices[choice][0]]({ [choice]: value })
        }

        #completeChoice(choice, update) {
            if (!this.pending) this.#require(choice)
            if (!update.newTotal?.label || !/^[0-9]+(\.[0-9]+)?$/.test(update.newTotal.amount)) throw new TypeError('no total')
            this.updates.push({ choice, ...update })
            this.total = update.newTotal
            this.pending -= 1
            if (this.pending === 0 && this.#isOpen) this.state = 'active'
        }

        completeShippingContactSelection(update) { this.#completeChoice('shippingContact', update) }
        completeShippingMethodSelection(update) { this.#completeChoice('shippingMethod', update) }
        completeCouponCodeChange(update) { this.#completeChoice('couponCode', update) }
        completePaymentMethodSelection(update) { this.#completeChoice('paymentMethod', update) }

        #require(state) {
            if (this.state === state) return
            this.misuses.push(`${state} is needed, and it is ${this.state}`)
            throw new Error('InvalidAccessError')
        }

        get #isOpen() { return this.state === 'active' || this.state === 'authorized' || this.state in choices }

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

        /** The totals that were authorized; undefined while a change had no answer. */
        authorizedTotals = []

        authorize(payment, isForced = false) {
            if (!isForced) this.#require('active')
            this.authorizedTotals.push(this.pending ? undefined : this.total.amount)
            this.state = 'authorized'
            this.authorizedAt = clock.now()
            this.onpaymentauthorized({ payment })
        }

        /** Cancels the sheet as the customer, or as Apple if the page takes too long. */
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
