// A checkout page without a browser: an order, a sheet, and answers like the relay's.

import { Clock, random } from './clock.mjs'
import { ApplePayCheckout } from './module.mjs'
import { ApplePayError, sheets } from './sheet.mjs'

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
    merchant_reference: order.merchant_reference, command: order.command, outcome, amount: order.amount,
    currency: order.currency, ...more,
})

export const answer = (status, body, headers = {}) => new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status, headers: { 'content-type': status < 400 ? 'application/json' : 'application/problem+json', ...headers },
})

export const problem = (status, slug, more = {}, headers = {}) => answer(status, {
    type: `urn:payrelay:problem:${slug}`, title: 'A title', status, detail: 'A detail.', ...more,
}, headers)

export const never = () => new Promise(() => {})

/** Answers in this order, the last one again and again. An error is a connection that is lost. */
export const script = (...answers) => async () => {
    const next = answers.length > 1 ? answers.shift() : answers[0]
    if (next instanceof Error) throw next
    return typeof next === 'function' ? next() : next.clone()
}

export const lost = new Error('connection lost')

/**
 * @param reply answers POST /v1/payments and GET /v1/payments/….
 * @param customer see `sheets`.
 * @param sessions answers POST /v1/apple-pay/sessions.
 */
export function page(reply, {
    customer = sheet => sheet.authorize({ token }), sessions = script(answer(200, { merchantSessionIdentifier: 'S' })),
    numbers = random(1), environment = {}, ...options
} = {}) {
    const clock = new Clock()
    const { ApplePaySession, all } = sheets(clock, customer)
    const requests = []
    const fetch = async (path, init) => {
        const request = { path, ...init, at: clock.now() }
        requests.push(request)
        const stopped = new Promise((_, reject) => {
            init.signal.addEventListener('abort', () => reject(new Error('AbortError')), { once: true })
        })
        stopped.catch(() => {})
        return Promise.race([path === '/v1/apple-pay/sessions' ? sessions(request) : reply(request), stopped])
    }
    const checkout = new ApplePayCheckout({
        orderToken: async () => bearer,
        environment: { fetch, now: clock.now, sleep: clock.sleep, random: numbers, ApplePaySession, ApplePayError, ...environment },
        ...options,
    })
    return {
        checkout, clock, requests, sheets: all,
        /** The end of a payment: its `value` or its `error`. */
        pay: (more = {}, settings = {}, request = paymentRequest) =>
            clock.run(checkout.pay({ ...order, ...more }, request, settings)),
        get sheet() { return all.at(-1) },
        get posts() { return requests.filter(({ method, path }) => method === 'POST' && path === '/v1/payments') },
        get reads() { return requests.filter(({ method }) => method === 'GET') },
    }
}
