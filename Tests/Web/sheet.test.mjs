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

test('where Apple Pay is not there the error says so, and a sheet that does not open leaves nothing behind', async () => {
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
