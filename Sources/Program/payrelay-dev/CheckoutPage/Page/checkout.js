// The checkout page of `payrelay-dev`. It pays as a merchant's page does, with /payrelay.js; where the browser has no Apple Pay,
// and for each case on request, a simulated session stands in for Apple's.

import { ApplePayCheckout, amountText } from '/payrelay.js'
import { showExchange, showResult } from '/_dev/exchange.js'
import { SimulatedApplePayError, simulatedApplePaySession } from '/_dev/simulated-apple-pay-session.js'

const form = document.querySelector('#order')
const again = document.querySelector('#again')
const networks = ['visa', 'masterCard', 'amex', 'mada', 'discover']
const tenMinutes = 600

let isPaying = false
let orderToken
let last

const newReference = () => {
    const random = crypto.getRandomValues(new Uint8Array(6))
    return `DEV-${Array.from(random, byte => byte.toString(16).padStart(2, '0')).join('')}`
}

/** The order in the form. */
function order(amount) {
    const fields = new FormData(form)
    const order = {
        command: 'PURCHASE', merchant_reference: newReference(), amount: amount ?? fields.get('amount').trim(),
        currency: fields.get('currency'), language: 'en',
    }
    for (const name of ['order_description', 'customer_name', 'customer_email']) {
        if (fields.get(name) !== '') order[name] = fields.get(name)
    }
    return order
}

function paymentRequest(order) {
    const amount = amountText(order.amount, order.currency)
    return {
        countryCode: 'AE', currencyCode: order.currency, supportedNetworks: networks, merchantCapabilities: ['supports3DS'],
        lineItems: [{ label: order.order_description ?? 'Order', amount, type: 'final' }],
        total: { label: 'payrelay-dev', amount, type: 'final' },
    }
}

/** What a merchant's backend does: it issues a token that pins the order. */
async function fetchOrderToken(order) {
    const response = await fetch('/_dev/order-tokens', {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(order),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(answer.detail)
    orderToken = answer.order_token
    return orderToken
}

/** A checkout for one order: for a later look at it, the module names the order by its reference alone. */
function checkout(customer, order) {
    const options = { orderToken: () => fetchOrderToken(order) }
    if (customer === 'apple') return new ApplePayCheckout(options)
    const ApplePaySession = simulatedApplePaySession({
        cancels: customer === 'cancels', signedSecondsAgo: customer === 'stale' ? tenMinutes : 0,
    })
    return new ApplePayCheckout({
        ...options, environment: { ApplePaySession, ApplePayError: SimulatedApplePayError },
    })
}

/** What was said about the order, as far as anything was. */
async function fetchExchanges(reference) {
    if (!reference || !orderToken) return []
    const response = await fetch(`/_dev/exchanges/${encodeURIComponent(reference)}`, {
        headers: { Authorization: `Bearer ${orderToken}` },
    })
    return response.ok ? (await response.json()).exchanges : []
}

/** Shows how a payment ended, and all that was said about it. */
async function show(payment, reference) {
    let result, error
    try {
        result = await payment
    } catch (caught) {
        error = caught
    }
    const exchanges = await fetchExchanges(reference)
    showResult(result, error)
    showExchange(exchanges)
    again.hidden = document.querySelector('#result .open') === null
    const shown = document.querySelector('#result')
    shown.dataset.number = Number(shown.dataset.number ?? 0) + 1
    shown.scrollIntoView({ block: 'nearest' })
}

/** Pays within the click: Apple's sheet opens for a click only. */
function begin(button) {
    const paid = order(button.dataset.amount)
    orderToken = undefined
    last = checkout(button.dataset.customer, paid)
    last.reference = paid.merchant_reference
    return last.pay(paid, paymentRequest(paid))
}

async function pay(button) {
    if (isPaying) return
    isPaying = true
    last = undefined
    try {
        const payment = begin(button)
        await show(payment, last.reference)
    } catch (error) {
        await show(Promise.reject(error))
    } finally {
        isPaying = false
    }
}

again.addEventListener('click', () => show(last.outcome(last.reference), last.reference))

for (const button of document.querySelectorAll('[data-customer]')) button.addEventListener('click', () => pay(button))
form.addEventListener('submit', event => event.preventDefault())
document.querySelector('#apple').hidden = !ApplePayCheckout.isAvailable()
