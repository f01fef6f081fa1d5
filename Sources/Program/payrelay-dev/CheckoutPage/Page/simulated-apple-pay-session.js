// Stands in for Apple's ApplePaySession (Apple Pay JS): the same constructor, methods and events, with a sheet of its own. The
// token is minted by `payrelay-dev` as a phone would make it.

import { SimulatedSheet } from '/_dev/simulated-sheet.js'

/** As ApplePayError: why a field of the sheet is wrong. */
export class SimulatedApplePayError {
    constructor(code, contactField, message = '') {
        Object.assign(this, { code, contactField, message })
    }
}

const isText = value => typeof value === 'string' && value !== ''
const isAmount = value => isText(value) && /^[0-9]+(\.[0-9]+)?$/.test(value)

function check(request) {
    const { countryCode, currencyCode, supportedNetworks, merchantCapabilities, total } = request ?? {}
    const isComplete = isText(countryCode) && isText(currencyCode) && supportedNetworks?.length > 0
        && merchantCapabilities?.includes('supports3DS') && isText(total?.label) && isAmount(total?.amount)
    if (!isComplete) throw new TypeError('the payment request is not complete')
}

/** What the customer chooses: Apple's event for it. */
const events = {
    shippingContact: 'onshippingcontactselected', shippingMethod: 'onshippingmethodselected', couponCode: 'oncouponcodechanged',
    paymentMethod: 'onpaymentmethodselected',
}
/** As Apple tells it before the authorization. */
const address = { countryCode: 'AE', locality: 'Dubai', administrativeArea: 'Dubai', postalCode: '', addressLines: [] }

async function ask(path, body) {
    const response = await fetch(path, body && {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(answer.detail)
    return answer
}

/**
 * A class with ApplePaySession's interface, and this customer.
 *
 * @param cancels whether the customer closes the sheet, as soon as it can be used.
 * @param signedSecondsAgo how old the token is when it is sent.
 */
export function simulatedApplePaySession({ cancels = false, signedSecondsAgo = 0 } = {}) {
    return class SimulatedApplePaySession {
        static STATUS_SUCCESS = 0
        static STATUS_FAILURE = 1
        static supportsVersion(version) { return version >= 1 && version <= 14 }
        static canMakePayments() { return true }
        static canMakePaymentsWithActiveCard() { return Promise.resolve(true) }

        #request
        #sheet
        #state = 'new'

        constructor(version, request) {
            check(request)
            this.#request = structuredClone(request)
        }

        begin() {
            if (this.#state !== 'new') throw new DOMException('The session has begun already.', 'InvalidAccessError')
            if (navigator.userActivation?.isActive === false) {
                throw new DOMException('The sheet opens for a click only.', 'InvalidAccessError')
            }
            this.#state = 'validating'
            this.#sheet = new SimulatedSheet(this.#request, {
                authorize: network => this.#authorize(network), cancel: () => this.#cancel(),
                choose: (choice, value) => this.#choose(choice, value),
            })
            this.#validate()
        }

        async #validate() {
            try {
                const { validation_url: validationURL } = await ask('/_dev/validation-url')
                if (this.#state === 'validating') this.onvalidatemerchant?.({ validationURL })
            } catch {
                this.#cancel()
            }
        }

        completeMerchantValidation(session) {
            if (this.#state !== 'validating') throw new DOMException('No merchant is validated.', 'InvalidAccessError')
            if (!isText(session?.merchantSessionIdentifier)) throw new TypeError('this is no merchant session')
            this.#state = 'ready'
            if (cancels) return this.#sheet.cancelSoon()
            this.#sheet.ready()
            if (this.#request.requiredShippingContactFields?.includes('postalAddress')) this.#choose('shippingContact', address)
        }

        #choose(choice, value) {
            if (this.#state !== 'ready' || !this[events[choice]]) return
            this.#state = choice
            this.#sheet.processing()
            this[events[choice]]({ [choice]: value })
        }

        #completeChoice(choice, { newTotal, newLineItems = [], newShippingMethods, errors = [] }) {
            if (this.#state !== choice) throw new DOMException('Nothing was chosen.', 'InvalidAccessError')
            if (!isText(newTotal?.label) || !isAmount(newTotal.amount)) throw new TypeError('this is no total')
            Object.assign(this.#request, { total: newTotal, lineItems: newLineItems }, newShippingMethods && { shippingMethods: newShippingMethods })
            this.#state = 'ready'
            this.#sheet.show(this.#request)
            // With a wrong coupon code the customer may pay.
            if (errors.length > 0) this.#sheet.failed(errors.map(error => error.message).join(' '), choice === 'couponCode')
            else this.#sheet.ready()
        }

        completeShippingContactSelection(update) { this.#completeChoice('shippingContact', update) }
        completeShippingMethodSelection(update) { this.#completeChoice('shippingMethod', update) }
        completeCouponCodeChange(update) { this.#completeChoice('couponCode', update) }
        completePaymentMethodSelection(update) { this.#completeChoice('paymentMethod', update) }

        async #authorize(network) {
            if (this.#state !== 'ready') return
            this.#state = 'authorized'
            this.#sheet.processing()
            const { total, currencyCode } = this.#request
            try {
                const token = await ask('/_dev/tokens', {
                    amount: total.amount, currency: currencyCode, network, signed_seconds_ago: signedSecondsAgo,
                })
                if (this.#state === 'authorized') this.onpaymentauthorized?.({ payment: { token } })
            } catch (error) {
                this.#state = 'ready'
                this.#sheet.failed(error.message)
            }
        }

        completePayment({ status, errors = [] }) {
            if (this.#state !== 'authorized') throw new DOMException('No payment is authorized.', 'InvalidAccessError')
            if (status === SimulatedApplePaySession.STATUS_SUCCESS) {
                this.#state = 'ended'
                this.#sheet.done()
            } else if (errors.length > 0) {
                // The sheet stays, as Apple's does, so that the customer can read why.
                this.#state = 'ready'
                this.#sheet.failed(errors.map(error => error.message).join(' '))
            } else {
                this.#state = 'ended'
                this.#sheet.notCompleted()
            }
        }

        abort() {
            this.#state = 'ended'
            this.#sheet?.close()
        }

        #cancel() {
            if (this.#state === 'ended') return
            this.#state = 'ended'
            this.#sheet.close()
            this.oncancel?.({ sessionError: { code: 'unknown' } })
        }
    }
}
