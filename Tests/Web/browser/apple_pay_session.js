// Runs in the page before the page's script: an ApplePaySession in place of Safari's, with Apple's states, and a scripted
// customer. `window.applePay` has the data for the test: the sheets, the calls at the wrong time, and the browser's refusals.

(() => {
    const applePay = { sheets: [], misuses: [], violations: [], customer: 'authorize', choices: [], token: undefined, contact: undefined }
    window.applePay = applePay
    addEventListener('securitypolicyviolation', event => applePay.violations.push(`${event.violatedDirective} ${event.blockedURI}`))

    window.ApplePayError = class ApplePayError {
        constructor(code, contactField, message) {
            Object.assign(this, { code, contactField, message })
        }
    }

    window.ApplePaySession = class ApplePaySession {
        static STATUS_SUCCESS = 0
        static STATUS_FAILURE = 1
        static supportsVersion = version => version <= 14
        static canMakePayments = () => true

        #state = 'idle'

        constructor(version, request) {
            // Safari demands a gesture of the user for it.
            if (!navigator.userActivation.isActive) throw new DOMException('Must create a new ApplePaySession from a user gesture handler.')
            if (version < 5 && request.supportedNetworks.includes('mada')) throw new TypeError('"mada" is not valid.')
            this.sheet = { version, amount: request.total.amount, state: 'idle', completions: [] }
        }

        #enter(state, ...from) {
            if (!from.includes(this.#state)) {
                applePay.misuses.push(`${this.#state} → ${state}`)
                throw new DOMException('', 'InvalidAccessError')
            }
            this.#state = this.sheet.state = state
        }

        begin() {
            this.#enter('active', 'idle')
            applePay.sheets.push(this.sheet)
            const validationURL = applePay.validationURL
            setTimeout(() => this.onvalidatemerchant({ validationURL }))
        }

        completeMerchantValidation(session) {
            this.#enter('active', 'active')
            this.sheet.session = session
            setTimeout(() => this.#act())
        }

        /** Chooses in the sheet what the test says, and then acts. */
        #act() {
            const { customer, choices, token, contacts } = applePay
            if (choices.length > 0) {
                const [choice, value] = choices.shift()
                this.#enter(choice, 'active')
                return this[`on${choice.toLowerCase()}${choice === 'couponCode' ? 'changed' : 'selected'}`]({ [choice]: value })
            }
            if (customer === 'nothing') return
            if (customer === 'cancel') return this.#cancel()
            this.#enter('authorized', 'active')
            const shippingContact = contacts?.length > 1 ? contacts.shift() : contacts?.[0]
            this.onpaymentauthorized({ payment: { token, shippingContact } })
            // As if the page took too long.
            if (customer === 'authorize and close') this.#cancel()
        }

        #completeChoice(choice, { newTotal }) {
            this.#enter('active', choice)
            this.sheet.amount = newTotal.amount
            setTimeout(() => this.#act())
        }

        completeShippingContactSelection(update) { this.#completeChoice('shippingContact', update) }
        completeShippingMethodSelection(update) { this.#completeChoice('shippingMethod', update) }
        completeCouponCodeChange(update) { this.#completeChoice('couponCode', update) }
        completePaymentMethodSelection(update) { this.#completeChoice('paymentMethod', update) }

        #cancel() {
            this.#enter('canceled', 'active', 'authorized')
            this.oncancel({})
        }

        abort() { this.#enter('aborted', 'active', 'authorized', 'shippingContact', 'shippingMethod', 'couponCode', 'paymentMethod') }

        completePayment({ status, errors }) {
            const isFinal = status === 0 || errors.length === 0
            this.#enter(isFinal ? 'completed' : 'active', 'authorized')
            this.sheet.completions.push({ status, errors: errors.map(({ code, contactField, message }) => ({ code, contactField, message })) })
            if (!isFinal) setTimeout(() => this.#act())
        }
    }
})()
