import assert from 'node:assert/strict'
import test from 'node:test'
import { rules } from './module.mjs'
import { order, receipt } from './page.mjs'

const problem = (status, slug) => ({ status, body: { type: `urn:payrelay:problem:${slug}`, title: 't', status, detail: 'd' } })
const meaning = (status, body, retryAfter) => rules.meaning({ status, body, retryAfter }, order)

test('an outcome is taken only from an answer about this order', () => {
    assert.equal(meaning(200, receipt('captured')).is, 'settled')
    assert.equal(meaning(200, receipt('captured', { amount: '10000' })).is, 'settled')
    const foreign = [
        { merchant_reference: 'ORDER-1002' }, { amount: 100.0000001 }, { amount: null }, { currency: undefined },
        { command: undefined }, { outcome: undefined }, { outcome: ['captured'] }, { merchant_reference: ['ORDER-1001'] },
    ]
    for (const change of [{ amount: 10001 }, { currency: 'USD' }, { command: 'AUTHORIZATION' }]) {
        assert.equal(meaning(200, receipt('captured', change)).is, 'other', JSON.stringify(change))
    }
    for (const change of foreign) assert.equal(meaning(200, receipt('captured', change)).is, 'unknown', JSON.stringify(change))
    for (const body of [undefined, null, 'captured', [], {}, 1]) assert.equal(meaning(200, body).is, 'unknown')
    for (const status of [201, 204, 206, 300, 404, 500, 502]) assert.equal(meaning(status, receipt('captured')).is, 'unknown')
})

test('an open outcome is open, whatever the status; a captured payment with an open refund is not', () => {
    for (const outcome of ['processing', 'uncertain', 'not_sent']) {
        for (const status of [200, 202]) assert.equal(meaning(status, receipt(outcome)).is, 'open')
    }
    assert.equal(meaning(202, receipt('captured')).is, 'settled')
})

test('a refusal counts only in the form of this API', () => {
    for (const [status, slug] of [
        [400, 'invalid-fields'], [401, 'not-authenticated'], [403, 'other-order'], [404, 'no-such-payment'],
        [409, 'token-used'], [413, 'body-too-large'], [415, 'unsupported-media-type'], [421, 'foreign-host'],
        [422, 'token-refused'],
    ]) {
        assert.equal(rules.meaning(problem(status, slug), order).is, 'refused', slug)
        const proxys = [undefined, {}, { type: slug, status }, { type: 'about:blank', status }, { status },
            { type: `urn:payrelay:problem:${slug}`, status: 499 }, { type: 'urn:payrelay:problem:<b>', status }]
        for (const body of proxys) assert.equal(meaning(status, body).is, 'unknown', `${slug} ${JSON.stringify(body)}`)
    }
})

test('429, 503 and 408 mean that nothing was done, and other 5xx prove nothing', () => {
    for (const [status, slug] of [[429, 'too-many-requests'], [503, 'too-busy'], [503, 'processor-unreachable'], [408, 'request-too-slow']]) {
        assert.equal(rules.meaning(problem(status, slug), order).is, 'busy')
        assert.equal(meaning(status, undefined).is, 'unknown')
    }
    for (const [status, slug] of [[500, 'internal'], [502, 'apple-refused'], [501, 'unknown-method']]) {
        assert.equal(rules.meaning(problem(status, slug), order).is, 'unknown')
    }
    assert.equal(rules.meaning(problem(409, 'in-flight'), order).is, 'inFlight')
})

const unknown = { is: 'unknown' }
const busy = { is: 'busy', problem: { slug: 'too-busy', status: 503 }, retryAfter: 7 }
const refused = (slug, status = 422) => ({ is: 'refused', problem: { slug, status, detail: '', errors: [] } })
const after = (...meanings) => meanings.reduce((step, next) => rules.next(step.state, next), { state: rules.start })

test('a refusal of the first request is an error, and one after a request that may have arrived is not', () => {
    assert.equal(after(refused('token-refused')).code, 'refused')
    assert.equal(after(busy, refused('token-refused')).code, 'refused')
    for (const before of [unknown, { is: 'inFlight' }]) {
        const step = after(before, refused('token-refused'))
        assert.equal(step.do, 'read')
        assert.equal(rules.atDeadline(step.state).outcome, 'uncertain')
        assert.equal(after(before, refused('token-refused'), refused('no-such-payment', 404)).do, 'read')
        assert.equal(after(before, refused('not-authenticated', 401), refused('not-authenticated', 401)).outcome, 'uncertain')
    }
})

test('"nothing was sent" is reported only if every answer said so', () => {
    const end = rules.atDeadline(after(busy, busy).state)
    assert.deepEqual([end.code, end.retryAfter], ['nothing-sent', 7])
    assert.equal(rules.atDeadline(after(busy, unknown, busy).state).outcome, 'uncertain')
    assert.equal(rules.atDeadline(after({ is: 'open', payment: receipt('uncertain') }).state).outcome, 'uncertain')
})

test('a reference that is taken is an earlier request of the order: paid counts, open is uncertain, the rest is refused', () => {
    const taken = refused('reference-taken')
    const settled = outcome => ({ is: 'settled', payment: receipt(outcome) })
    assert.equal(after(taken).do, 'read')
    assert.equal(after(taken, settled('captured')).outcome, 'captured')
    for (const outcome of ['declined', 'voided', 'refunded', 'not_processed']) {
        assert.equal(after(taken, settled(outcome)).problem.slug, 'reference-taken')
        assert.equal(after(unknown, taken, settled(outcome)).outcome, outcome)
    }
    assert.equal(rules.atDeadline(after(taken, unknown).state).outcome, 'uncertain')
})

test('a reference that is taken by a payment that is not shown is uncertain, and never refused', () => {
    const [taken, missing] = [refused('reference-taken'), refused('no-such-payment', 404)]
    assert.deepEqual(after(taken, missing), { end: 'outcome', outcome: 'uncertain' })
    assert.equal(after(unknown, taken, missing).do, 'read')
})

const other = outcome => ({ is: 'other', payment: receipt(outcome, { amount: 9000 }) })

test('a reference that is taken by another amount ends at once: paid is uncertain, and only what failed is refused', () => {
    const taken = refused('reference-taken')
    for (const before of [[taken], [unknown, taken]]) {
        for (const outcome of ['declined', 'voided', 'refunded', 'not_processed']) {
            const step = after(...before, other(outcome))
            assert.deepEqual([step.code, step.problem.slug, step.payment.outcome], ['refused', 'reference-taken', outcome])
        }
        for (const outcome of ['authorized', 'captured', 'partially_captured', 'partially_refunded']) {
            const step = after(...before, other(outcome))
            assert.deepEqual([step.end, step.outcome, step.payment.amount], ['outcome', 'uncertain', 9000])
        }
        for (const outcome of ['processing', 'uncertain', 'not_sent', 'a_later_word']) {
            const step = after(...before, other(outcome))
            assert.equal(step.do, 'read')
            assert.equal(rules.atDeadline(step.state).outcome, 'uncertain')
        }
    }
})

test('a payment of another amount proves nothing if the relay has not said that the reference is taken', () => {
    for (const outcome of ['captured', 'declined']) {
        assert.equal(after(other(outcome)).do, 'send')
        assert.ok(after(other(outcome)).state.mayHaveArrived)
        for (const before of [[{ is: 'open', payment: receipt('uncertain') }], [unknown, refused('token-refused')],
            [refused('reference-taken'), { is: 'open', payment: receipt('uncertain') }]]) {
            assert.equal(after(...before, other(outcome)).do, 'read')
        }
    }
})

test('a payment that was seen open is not missing by a later 404', () => {
    for (const open of [{ is: 'open', payment: receipt('uncertain') }, other('uncertain')]) {
        const step = after(refused('reference-taken'), open, refused('no-such-payment', 404))
        assert.equal(step.do, 'read')
        assert.equal(rules.atDeadline(step.state).outcome, 'uncertain')
    }
})

test('a payment that is read is never sent again', () => {
    const open = { is: 'open', payment: receipt('uncertain') }
    for (const next of [unknown, busy, open, { is: 'inFlight' }, refused('no-such-payment', 404)]) {
        assert.equal(after(open, next).do, 'read')
    }
})

test('the pause is the one that the answer names, or grows up to four seconds; it differs between pages', () => {
    assert.equal(rules.pause(9, 3, 0), 3000)
    assert.equal(rules.pause(0, 0, 0.999), 250 + 249)
    const longest = [0, 1, 2, 3, 4, 5, 50].map(attempts => rules.pause(attempts, undefined, 1))
    assert.deepEqual(longest, [250, 500, 1000, 2000, 4000, 4000, 4000])
    for (const [attempts, limit] of longest.entries()) {
        assert.ok(rules.pause(attempts === 6 ? 50 : attempts, undefined, 0) === limit / 2)
    }
})
