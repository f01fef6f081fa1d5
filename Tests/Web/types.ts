// Compiled by declarations.test.mjs, never run. A line under @ts-expect-error must not compile.

import { ApplePayCheckout, CheckoutError, amountText, rules } from '../../Sources/Server/ServedFiles/payrelay.js'
import type { Order, Outcome, Result } from '../../Sources/Server/ServedFiles/payrelay.js'

const order: Order = { merchant_reference: 'ORDER-1001', command: 'PURCHASE', amount: 10000, currency: 'AED' }
const request = {
    countryCode: 'AE', currencyCode: 'AED', supportedNetworks: ['visa', 'masterCard'], merchantCapabilities: ['supports3DS'],
    total: { label: 'Example Shop', amount: amountText(order.amount, order.currency) },
}

const checkout = new ApplePayCheckout({
    orderToken: async ({ merchant_reference }) => (await fetch(`/order-token?${merchant_reference}`)).text(),
    fromSheet: { customer_email: 'shippingContact' },
    change: async ({ shippingMethod, couponCode }, { merchant_reference }) => {
        if (couponCode) return { errors: [{ code: 'couponCodeInvalid' }] }
        const answer = await fetch(`/quote?${merchant_reference}`, { method: 'POST', body: shippingMethod?.identifier })
        return { ...await answer.json() as { amount: number; orderToken: string }, lineItems: [{ label: 'Shipping', amount: '15.00' }] }
    },
    ready: isAvailable => console.log(!isAvailable), click: ({ merchant_reference }) => console.log(merchant_reference),
})

export async function click(signal: AbortSignal): Promise<Outcome> {
    if (!ApplePayCheckout.isAvailable()) return 'canceled'
    try {
        const result: Result = await checkout.pay(order, request, { signal })
        if (result.outcome === 'uncertain') return (await checkout.outcome(result.merchant_reference, { within: 60_000 })).outcome
        return result.isPaid ? result.outcome : 'declined'
    } catch (error) {
        if (error instanceof CheckoutError && error.code === 'refused') console.log(error.slug, error.errors.map(({ field }) => field))
        throw error
    }
}

rules.next(rules.start, rules.meaning(undefined, order))

// @ts-expect-error
new ApplePayCheckout({})
// @ts-expect-error
new ApplePayCheckout({ orderToken: () => '', deadlin: 1 })
// @ts-expect-error
new ApplePayCheckout({ orderToken: () => '', change: () => ({ amount: 10000 }) })
// @ts-expect-error
checkout.pay({ merchant_reference: 'ORDER-1001', currency: 'AED' }, request)
// @ts-expect-error
checkout.pay(order, { ...request, total: { label: 'Example Shop', amount: 100 } })
// @ts-expect-error
const paid: Outcome = 'paid'
