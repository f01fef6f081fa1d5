import assert from 'node:assert/strict'
import test from 'node:test'
import { ApplePayCheckout } from './module.mjs'
import { answer, never, order, page, paymentRequest, receipt, script, token } from './page.mjs'

const paid = () => script(answer(200, receipt('captured')))

test('the sheet opens within the click, before anything is awaited', () => {
    const shop = page(never)
    shop.checkout.pay(order, paymentRequest)
    assert.equal(shop.sheet.state, 'active')
    assert.deepEqual([shop.sheet.version, shop.sheet.request], [5, paymentRequest])
})

test('the hook "ready" says once whether the sheet can be shown, after the constructor', async () => {
    for (const [environment, expected] of [[{}, true], [{ ApplePaySession: undefined }, false]]) {
        const calls = []
        page(never, { environment, ready: isAvailable => calls.push(isAvailable) })
        assert.deepEqual(calls, [])
        await Promise.resolve()
        assert.deepEqual(calls, [expected])
    }
})

test('the hook "click" is called with the order before the sheet opens, and no sheet opens if it throws', async () => {
    const calls = []
    const shop = page(paid(), { click: clicked => calls.push([clicked, shop.sheets.length]) })
    assert.equal((await shop.pay()).value.outcome, 'captured')
    assert.deepEqual(calls, [[{ ...order }, 0]])
    await shop.pay({ amount: 1 })
    assert.equal(calls.length, 1)

    const stopped = page(paid(), { click: () => { throw new Error('the cart is empty') } })
    assert.equal((await stopped.pay()).error.message, 'the cart is empty')
    assert.deepEqual([stopped.sheets.length, stopped.requests.length], [0, 0])
    assert.equal((await stopped.pay()).error.message, 'the cart is empty')
    assert.throws(() => page(paid(), { ready: true }), TypeError)
})

test('a cancel before the authorization is "canceled", and nothing was sent', async () => {
    const shop = page(paid(), { customer: sheet => sheet.cancel() })
    const { value } = await shop.pay()
    assert.deepEqual([value.outcome, value.isPaid, shop.posts.length, shop.sheet.completions], ['canceled', false, 0, []])
})

test('a sheet that closes after the authorization cancels nothing: the payment has its outcome', async () => {
    const shop = page(script(answer(202, receipt('uncertain'), { 'retry-after': '2' }), answer(200, receipt('captured'))), {
        customer: sheet => { sheet.authorize({ token }); sheet.cancel() },
    })
    const { value } = await shop.pay()
    assert.deepEqual([value.outcome, value.sheetWasClosed, shop.sheet.completions], ['captured', true, []])
})

test('without a network no sheet opens, and one that Apple closes before it is ready is not canceled by the customer', async () => {
    const before = page(paid(), { environment: { isOnline: () => false } })
    assert.deepEqual([(await before.pay()).error.code, before.sheets.length, before.requests.length], ['offline', 0, 0])

    let isOnline = true
    const lost = page(paid(), {
        sessions: () => { isOnline = false; lost.sheet.cancel(); return never() }, environment: { isOnline: () => isOnline },
    })
    assert.deepEqual([(await lost.pay()).error?.code, lost.posts.length], ['offline', 0])

    isOnline = true
    const ready = page(paid(), {
        customer: sheet => { isOnline = false; sheet.cancel() }, environment: { isOnline: () => isOnline },
    })
    assert.equal((await ready.pay()).value.outcome, 'canceled')
    assert.equal((await page(paid(), { environment: { isOnline: () => true } }).pay()).value.outcome, 'captured')
})

test('an abort before the authorization ends the sheet, and one after it is never the end of a payment', async () => {
    const early = new AbortController()
    const shop = page(paid(), { customer: () => early.abort(new Error('the page is left')) })
    const { error } = await shop.pay({}, { signal: early.signal })
    assert.deepEqual([error.message, shop.sheet.state, shop.posts.length], ['the page is left', 'aborted', 0])

    const late = new AbortController()
    const other = page(() => { late.abort(); return never() })
    const { value } = await other.pay({}, { signal: late.signal })
    assert.deepEqual([value.outcome, other.sheet.completions.map(({ status }) => status)], ['uncertain', [1]])
    assert.equal((await page(paid()).pay({}, { signal: AbortSignal.abort() })).error.name, 'AbortError')
})

test('what is authorized in a sheet that has ended is not sent', async () => {
    const shop = page(script(answer(200, receipt('declined'))))
    await shop.pay()
    shop.sheet.onpaymentauthorized({ payment: { token } })
    await shop.clock.runOut()
    assert.equal(shop.posts.length, 1)
})

test('one checkout has one sheet at a time, and is free again afterwards', async () => {
    const shop = page(paid())
    const first = shop.checkout.pay(order, paymentRequest)
    assert.equal((await shop.pay()).error.code, 'busy')
    await shop.clock.run(first)
    assert.equal((await shop.pay()).value.outcome, 'captured')
})

test('if Apple Pay is missing the error says so, and a sheet that does not open leaves nothing behind', async () => {
    class Unavailable { static supportsVersion = () => true; static canMakePayments() { throw new Error('insecure') } }
    for (const ApplePaySession of [undefined, Unavailable]) {
        assert.equal(ApplePayCheckout.isAvailable({ ApplePaySession }), false)
        assert.equal((await page(paid(), { environment: { ApplePaySession } }).pay()).error.code, 'unavailable')
    }
    class Refusing { static supportsVersion = () => true; static canMakePayments = () => true; begin() { throw new Error('no gesture') } }
    const shop = page(paid(), { environment: { ApplePaySession: Refusing } })
    for (let attempt = 0; attempt < 2; attempt++) assert.equal((await shop.pay()).error.code, 'sheet')
    assert.equal(shop.requests.length, 0)
})
