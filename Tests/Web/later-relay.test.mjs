import assert from 'node:assert/strict'
import test from 'node:test'
import { rules, source } from './module.mjs'
import { answer, order, page, script } from './page.mjs'

/** The same table as that of the Swift client: docs/versions.md has the rule. */
const samples = JSON.parse(source('Tests/ClientSamples/later-relay.json'))

const endOf = step => {
    if (step.end === 'error') return { refused: 'refused', 'nothing-sent': 'nothing_sent' }[step.code]
    if (step.outcome === 'uncertain') return 'uncertain'
    return rules.isPaid(step.outcome) ? 'paid' : 'not_paid'
}

for (const { name, status, body, looked_up: isLookedUp, then, ends } of samples) {
    test(`a later relay: ${name}`, () => {
        const asked = isLookedUp ? { merchant_reference: order.merchant_reference } : order
        const state = isLookedUp ? { ...rules.start, isReading: true } : rules.start
        const step = rules.next(state, rules.meaning({ status, body }, asked))
        assert.equal(step.end ? 'end' : step.do, then)
        assert.equal(endOf(step.end ? step : rules.atDeadline(step.state)), ends)
    })
}

test('a later relay: the sheet ends with a failure, the page says uncertain, and no log has the word', async () => {
    const [{ status, body }] = samples
    const { value: result } = await page(script(answer(status, body))).pay()
    assert.equal(result.outcome, 'uncertain')
    assert.equal(result.isPaid, false)
    assert.ok(result.attempts.every(attempt => !attempt.includes('under_review')), result.attempts.join())
})
