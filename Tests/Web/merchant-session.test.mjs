import assert from 'node:assert/strict'
import test from 'node:test'
import { answer, bearer, lost, never, page, problem, receipt, script, token } from './page.mjs'

const paid = () => script(answer(200, receipt('captured')))

test('the merchant session comes from the relay, with the order token and the URL of the event', async () => {
    const shop = page(paid(), { domain: 'shop.example' })
    await shop.pay()
    const [{ path, body, headers, mode, redirect }] = shop.requests
    assert.deepEqual(JSON.parse(body), {
        validation_url: 'https://apple-pay-gateway.apple.com/paymentservices/startSession', domain: 'shop.example',
    })
    assert.deepEqual([path, headers.Authorization, mode, redirect], ['/v1/apple-pay/sessions', `Bearer ${bearer}`, 'same-origin', 'error'])
    assert.deepEqual(shop.sheet.merchantSession, { merchantSessionIdentifier: 'S' })
})

test('the merchant session can come from the merchant', async () => {
    const asked = []
    const shop = page(paid(), { merchantSession: async url => { asked.push(url); return { own: true } } })
    assert.equal((await shop.pay()).value.outcome, 'captured')
    assert.deepEqual([asked.length, shop.sheet.merchantSession, shop.requests.length], [1, { own: true }, 1])
})

test('a merchant session is asked for again after what may pass, and not after a refusal', async () => {
    const may = [lost, problem(503, 'apple-unreachable', {}, { 'retry-after': '1' }), answer(502, 'x', { 'content-type': 'text/html' })]
    const shop = page(paid(), { sessions: script(...may, answer(200, { own: true })) })
    assert.equal((await shop.pay()).value.outcome, 'captured')
    const refusals = [[400, 'invalid-fields'], [401, 'not-authenticated'], [403, 'not-permitted'], [404, 'not-configured'], [502, 'apple-refused']]
    for (const [status, slug] of refusals) {
        const shop = page(paid(), { sessions: script(problem(status, slug)) })
        const { error } = await shop.pay()
        assert.deepEqual([error.code, error.status, error.slug], ['merchant-validation', status, slug])
        assert.deepEqual([shop.sheet.state, shop.requests.length], ['aborted', 1])
    }
})

test('without a merchant session the sheet goes before Apple closes it, and nothing is sent', async () => {
    for (const sessions of [script(lost), never, script(answer(200, 'no JSON'))]) {
        const shop = page(paid(), { sessions })
        const { error } = await shop.pay()
        assert.equal(error.code, 'merchant-validation')
        assert.deepEqual([shop.sheet.state, shop.posts.length], ['aborted', 0])
        assert.ok(shop.clock.now() <= 21_000)
    }
})

test('what orderToken gives must be a token, and its failure ends the sheet', async () => {
    for (const orderToken of [async () => { throw new Error('500') }, async () => '<html>', async () => '', async () => ({}), () => 'a b', () => 'é']) {
        const shop = page(paid(), { orderToken })
        const { error } = await shop.pay()
        assert.deepEqual([error.code, shop.sheet.state, shop.requests.length], ['order-token', 'aborted', 0])
    }
})

test('a sheet that was open for minutes pays with a new order token', async () => {
    let count = 0
    const shop = page(paid(), {
        orderToken: async () => `token-${++count}`,
        customer: async sheet => { await shop.clock.sleep(121_000); sheet.authorize({ token }) },
    })
    await shop.pay()
    assert.equal(shop.posts[0].headers.Authorization, 'Bearer token-2')
})

test('an order token that does not come ends the sheet before Apple does', async () => {
    const shop = page(paid(), { orderToken: never })
    const { error } = await shop.pay()
    assert.deepEqual([error.code, shop.sheet.state, shop.requests.length], ['order-token', 'aborted', 0])
    assert.ok(shop.clock.now() <= 21_000)
})
