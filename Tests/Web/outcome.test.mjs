import assert from 'node:assert/strict'
import test from 'node:test'
import { ApplePayCheckout } from './module.mjs'
import { answer, bearer, lost, never, order, page, paymentRequest, problem, receipt, script } from './page.mjs'

const look = (shop, reference = order.merchant_reference, options = {}) => shop.clock.run(shop.checkout.outcome(reference, options))

test('after a reload the outcome is read by the reference, and an open one is waited for', async () => {
    const asked = []
    const open = answer(202, receipt('processing'), { 'retry-after': '2' })
    const shop = page(script(open, lost, answer(200, receipt('captured'))), {
        orderToken: async order => { asked.push(order); return bearer },
    })
    const { value } = await look(shop)
    assert.deepEqual([value.outcome, value.isPaid], ['captured', true])
    assert.deepEqual(asked, [{ merchant_reference: 'ORDER-1001' }])
    assert.deepEqual(shop.requests.map(({ method, path }) => `${method} ${path}`), Array(3).fill('GET /v1/payments/ORDER-1001'))
})

test('an outcome that stays open is uncertain after the time, and "not sent" is said as it is', async () => {
    for (const [body, outcome] of [['uncertain', 'uncertain'], ['processing', 'uncertain'], ['not_sent', 'not_sent']]) {
        const shop = page(script(answer(202, receipt(body), { 'retry-after': '2' })))
        assert.equal((await look(shop, undefined, { within: 10_000 })).value.outcome, outcome)
        assert.ok(shop.clock.now() <= 11_000)
    }
    for (const answers of [[lost], [answer(202, receipt('not_sent')), lost]]) {
        assert.equal((await look(page(script(...answers)))).value.outcome, 'uncertain')
    }
})

test('an order token that does not come is an error, and no request is sent', async () => {
    const shop = page(() => { throw new Error('nothing is sent') }, { orderToken: never })
    assert.equal((await look(shop)).error.code, 'order-token')
    assert.equal(shop.requests.length, 0)
})

test('within 0 the outcome is queried once', async () => {
    const shop = page(script(answer(202, receipt('uncertain'), { 'retry-after': '2' })))
    assert.equal((await look(shop, undefined, { within: 0 })).value.outcome, 'uncertain')
    assert.equal(shop.requests.length, 1)
})

test('a payment that the relay does not have is queried three times, because it may be about to arrive', async () => {
    const shop = page(script(problem(404, 'no-such-payment')))
    assert.equal((await look(shop)).error.code, 'no-such-payment')
    assert.equal(shop.requests.length, 3)
    const once = page(script(problem(404, 'no-such-payment')))
    assert.equal((await look(once, undefined, { within: 0 })).error.code, 'no-such-payment')
    assert.equal((await look(page(script(problem(404, 'no-such-payment'), answer(200, receipt('captured')))))).value.outcome, 'captured')
})

test('a payment that was seen open is uncertain, and not missing, if the relay no longer has it', async () => {
    const open = answer(202, receipt('uncertain'), { 'retry-after': '2' })
    const missing = problem(404, 'no-such-payment')
    assert.equal((await look(page(script(open, missing)))).value.outcome, 'uncertain')
    const shop = page(script(open, missing, missing, missing, answer(200, receipt('captured'))))
    assert.equal((await look(shop)).value.outcome, 'captured')
})

test('a payment that may not be read is no payment that does not exist', async () => {
    for (const [status, slug] of [[401, 'not-authenticated'], [403, 'not-permitted'], [404, 'not-found']]) {
        const { error } = await look(page(script(problem(status, slug))))
        assert.deepEqual([error.code, error.status, error.slug], ['unreadable', status, slug])
    }
})

test('a reference that is none, or a step in a path, is sent nowhere', async () => {
    for (const reference of ['', '.', '..', 'a/b', '../sessions', 'a?b', 'a#b', 'a b', '%2e', 'é', 'a'.repeat(41), null, 7, ['a']]) {
        const shop = page(() => { throw new Error('nothing is sent') })
        assert.equal((await look(shop, reference)).error.code, 'invalid-order', String(reference))
        assert.equal((await shop.pay({ merchant_reference: reference })).error.code, 'invalid-order', String(reference))
        assert.equal(shop.requests.length + shop.sheets.length, 0)
    }
})

test('an abort ends the waiting with its reason', async () => {
    const stop = new AbortController()
    const shop = page(async () => { stop.abort(new Error('left')); return answer(202, receipt('uncertain')) })
    assert.equal((await look(shop, undefined, { signal: stop.signal })).error.message, 'left')
})

test('an order that cannot be meant is refused before the sheet opens', async () => {
    const wrong = [
        [{ token: {} }], [{ amount: undefined }], [{ currency: 'aed' }], [null],
        [{}, { fromSheet: { customer_email: 'shippingContact' } }],
        [{ customer_email: undefined }, { fromSheet: { customer_email: 'shippingContact' } }],
    ]
    for (const [change, options] of wrong) {
        const shop = page(() => { throw new Error('nothing is sent') }, options)
        const made = change && { ...order, ...change }
        const { error } = await shop.clock.run(shop.checkout.pay(made, paymentRequest))
        assert.equal(error.code, 'invalid-order')
        assert.equal(shop.sheets.length, 0)
    }
})

test('options that do not exist or cannot be are refused', () => {
    const orderToken = () => bearer
    for (const options of [
        undefined, {}, { orderToken: bearer }, { orderToken, deadlin: 1 }, { orderToken, deadline: 60_000 }, { orderToken, deadline: NaN },
        { orderToken, version: 2 }, { orderToken, fromSheet: { amount: 'shippingContact' } },
        { orderToken, fromSheet: { customer_email: 'billingContact' } }, { orderToken, fromSheet: { constructor: 'shippingContact' } },
    ]) assert.throws(() => new ApplePayCheckout(options), TypeError)
})
