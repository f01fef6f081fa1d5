import assert from 'node:assert/strict'
import test from 'node:test'
import { answer, bearer, lost, never, order, page, problem, receipt, script, token } from './page.mjs'

test('a payment sends the order and the token once, with nothing but its order token as a credential', async () => {
    const shop = page(script(answer(200, receipt('captured'))))
    const { value } = await shop.pay()
    assert.deepEqual([value.outcome, value.isPaid, value.sheetWasClosed], ['captured', true, false])
    assert.equal(shop.posts.length, 1)
    const [post] = shop.posts
    assert.deepEqual(JSON.parse(post.body), { ...order, token })
    assert.deepEqual(post.headers, {
        Accept: 'application/json', Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json',
    })
    assert.deepEqual(
        [post.mode, post.credentials, post.redirect, post.cache, post.referrerPolicy],
        ['same-origin', 'omit', 'error', 'no-store', 'strict-origin'])
})

for (const [outcome, isPaid] of [['authorized', true], ['captured', true], ['declined', false], ['not_processed', false]]) {
    test(`${outcome} ${isPaid ? 'is' : 'is never'} a success in the sheet`, async () => {
        const shop = page(script(answer(200, receipt(outcome))))
        const { value } = await shop.pay()
        assert.equal(value.outcome, outcome)
        assert.deepEqual(shop.sheet.completions.map(({ status, errors }) => [status, errors.length]), [[isPaid ? 0 : 1, 0]])
        assert.equal(shop.sheet.state, 'completed')
    })
}

const again = [
    ['a lost connection', lost], ['an attempt without an answer', never],
    ['409 in-flight', problem(409, 'in-flight', {}, { 'retry-after': '1' })],
    ['429', problem(429, 'too-many-requests', {}, { 'retry-after': '1' })], ['503', problem(503, 'too-busy')],
    ['500', problem(500, 'internal')], ["a proxy's 502", answer(502, '<html>', { 'content-type': 'text/html' })],
    ["a proxy's 404", answer(404, '<html>', { 'content-type': 'text/html' })],
    ['an answer about another order', answer(200, receipt('captured', { merchant_reference: 'ORDER-1002' }))],
    ['half an answer', answer(200, '{"merchant_reference": "ORDER-1001", "outcome": "capt')],
    ['an answer of another media type', answer(200, receipt('captured'), { 'content-type': 'text/plain' })],
    ['an answer without end', answer(200, `${JSON.stringify(receipt('captured'))}${' '.repeat(300_000)}`)],
    ['an answer that is no UTF-8', () => new Response(
        Buffer.from(JSON.stringify(receipt('declined', { reason: '\x01' })).replace('\\u0001', '\xFF'), 'latin1'),
        { headers: { 'content-type': 'application/json' } })],
]

for (const [what, first] of again) {
    test(`after ${what} the same bytes are sent again`, async () => {
        const shop = page(script(first, answer(200, receipt('captured'), { 'idempotent-replayed': 'true' })))
        const { value } = await shop.pay()
        assert.equal(value.outcome, 'captured')
        assert.equal(shop.posts.length, 2)
        assert.equal(shop.posts[0].body, shop.posts[1].body)
    })
}

const final = [
    [400, 'invalid-fields', { errors: [{ field: 'amount', detail: 'is wrong' }] }], [401, 'not-authenticated'],
    [403, 'other-order', { errors: [{ field: 'account', detail: 'is not allowed' }] }],
    [422, 'token-refused', { check: 'freshness' }], [422, 'simulator-token'],
]

for (const [status, slug, more = {}] of final) {
    test(`${status} ${slug} is not sent again and says what is wrong`, async () => {
        const shop = page(script(problem(status, slug, more)))
        const { error } = await shop.pay()
        assert.deepEqual(
            [error.code, error.status, error.slug, error.detail, error.errors, error.check],
            ['refused', status, slug, 'A detail.', more.errors ?? [], more.check])
        assert.equal(shop.requests.filter(({ path }) => path.startsWith('/v1/payments')).length, 1)
        assert.deepEqual(shop.sheet.completions.map(({ status }) => status), [1])
    })
}

test('a refusal after a lost answer is no error: the payment is read', async () => {
    const shop = page(script(lost, problem(401, 'not-authenticated'), answer(200, receipt('captured'))))
    const { value } = await shop.pay()
    assert.equal(value.outcome, 'captured')
    assert.deepEqual(shop.reads.map(({ path }) => path), ['/v1/payments/ORDER-1001'])
})

test('a refusal after a lost answer is uncertain if the payment cannot be read', async () => {
    for (const last of [problem(401, 'not-authenticated'), problem(404, 'no-such-payment'), lost]) {
        const shop = page(script(lost, problem(422, 'token-refused', { check: 'freshness' }), last))
        const { value } = await shop.pay()
        assert.equal(value.outcome, 'uncertain')
    }
})

test('an order that was declined with another amount is reported at once, and one that was paid is never an error', async () => {
    const taken = problem(422, 'reference-taken')
    const declined = page(script(taken, answer(200, receipt('declined', { amount: 9000 }))))
    const { error } = await declined.pay()
    assert.deepEqual([error.slug, error.payment.outcome, declined.requests.length], ['reference-taken', 'declined', 3])
    assert.ok(declined.sheet.completions[0].after < 1_000)
    for (const outcome of ['captured', 'uncertain']) {
        const shop = page(script(taken, answer(200, receipt(outcome, { amount: 9000 }))))
        const { value } = await shop.pay()
        assert.deepEqual([value.outcome, value.isPaid, shop.sheet.completions[0].status], ['uncertain', false, 1])
    }
    for (const forged of [receipt('declined', { merchant_reference: 'ORDER-1002' }), receipt('declined', { amount: '9e3' }), 'declined']) {
        assert.equal((await page(script(taken, answer(200, forged))).pay()).value.outcome, 'uncertain')
    }
})

test('an order that was paid elsewhere is uncertain at once, and the log says why', async () => {
    const shop = page(script(problem(422, 'reference-taken'), problem(404, 'no-such-payment')))
    const { value } = await shop.pay()
    assert.deepEqual([value.outcome, value.isPaid, shop.sheet.completions[0].status], ['uncertain', false, 1])
    assert.deepEqual(value.attempts, ['POST: 422 reference-taken', 'GET: 404 no-such-payment'])
    assert.ok(shop.sheet.completions[0].after < 1_000)
})

test('a token or a key that another order has is uncertain at once: that order may be charged', async () => {
    for (const [status, slug] of [[409, 'token-used'], [422, 'idempotency-key-taken']]) {
        const shop = page(script(problem(status, slug)))
        const { value } = await shop.pay()
        assert.deepEqual([value.outcome, value.isPaid, shop.sheet.completions[0].status], ['uncertain', false, 1])
        assert.deepEqual(value.attempts, [`POST: ${status} ${slug}`])
    }
})

test('uncertain closes the sheet, so the customer cannot authorize in it again', async () => {
    for (const answers of [[lost], [answer(202, receipt('uncertain'))], [lost, problem(401, 'not-authenticated')]]) {
        const shop = page(script(...answers))
        const { value } = await shop.pay()
        assert.equal(value.outcome, 'uncertain')
        const [{ status, errors, after }] = shop.sheet.completions
        assert.deepEqual([status, errors, shop.sheet.state], [1, [], 'completed'])
        assert.ok(after <= 25_000)
    }
})

test('202 is read after Retry-After until the outcome is known', async () => {
    const open = answer(202, receipt('uncertain'), { 'retry-after': '2' })
    const shop = page(script(open, open, lost, problem(503, 'too-busy'), answer(200, receipt('authorized'))))
    const { value } = await shop.pay()
    assert.equal(value.outcome, 'authorized')
    assert.equal(shop.posts.length, 1)
    assert.equal(shop.reads.length, 4)
    assert.ok(shop.reads[0].at - shop.posts[0].at >= 2_000)
})

test('503 until the deadline is "nothing was sent", with the time after which to try again', async () => {
    const shop = page(script(problem(503, 'processor-unreachable', {}, { 'retry-after': '3' })))
    const { error } = await shop.pay()
    assert.deepEqual([error.code, error.slug, error.retryAfter], ['nothing-sent', 'processor-unreachable', 3])
    assert.ok(shop.posts.length > 3)
})

test('a relay that answers Retry-After 0 is not flooded', async () => {
    const shop = page(script(problem(503, 'too-busy', {}, { 'retry-after': '0' })))
    await shop.pay()
    assert.ok(shop.posts.length <= 100)
})

test('a Retry-After beyond the deadline ends at once', async () => {
    const shop = page(script(problem(429, 'too-many-requests', {}, { 'retry-after': '3600' })))
    const { error } = await shop.pay()
    assert.deepEqual([error.code, error.retryAfter, shop.posts.length], ['nothing-sent', 3600, 1])
})

test('a relay that never answers does not hold the sheet beyond its deadline', async () => {
    for (const deadline of [1_000, 25_000, 28_000]) {
        const shop = page(never, { deadline })
        const { value } = await shop.pay()
        assert.equal(value.outcome, 'uncertain')
        assert.deepEqual(shop.sheet.completions.map(({ after }) => after <= deadline), [true])
    }
})

test('the order that is sent is the one of the click, whatever the page does to it meanwhile', async () => {
    const mine = { ...order }
    const shop = page(script(lost, answer(200, receipt('captured'))), {
        customer: sheet => {
            mine.amount = 1
            sheet.authorize({ token })
        },
    })
    await shop.clock.run(shop.checkout.pay(mine, { currencyCode: 'AED', total: { label: 'x', amount: '100.00' } }))
    assert.deepEqual(shop.posts.map(({ body }) => JSON.parse(body).amount), [10000, 10000])
})
