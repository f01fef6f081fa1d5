// Seeded schedules of faults between the page and the relay. SEEDS=1..100000 runs as many as you like; a failure names its seed.

import assert from 'node:assert/strict'
import test from 'node:test'
import { random } from './clock.mjs'
import { CheckoutError } from './module.mjs'
import { bearer, order, page, token } from './page.mjs'
import { RelayModel } from './relay-model.mjs'

const [first, last] = (process.env.SEEDS ?? '1..2000').split('..').map(Number)

async function run(seed) {
    const draw = random(seed)
    const deadline = [5_000, 25_000, 28_000][Math.floor(draw() * 3)]
    let relay
    const stop = new AbortController()
    const isLeft = draw() < 0.1
    const shop = page(request => relay.reply(request), {
        deadline, numbers: random(seed + 1),
        customer: sheet => {
            sheet.authorize({ token })
            // Apple closes a sheet that is not completed in time, and a customer may close it before.
            shop.clock.sleep(draw() < 0.2 ? draw() * 30_000 : 30_000).then(() => sheet.cancel())
            if (isLeft) shop.clock.sleep(draw() * 10_000).then(() => stop.abort())
        },
    })
    relay = new RelayModel(shop.clock, draw)
    const end = await shop.pay({}, { signal: stop.signal })
    const requests = shop.requests.length
    // Delayed messages arrive.
    await shop.clock.runOut()
    return { ...end, shop, relay, deadline, requests, isLeft: isLeft && stop.signal.aborted }
}

function check({ value, error, shop, relay, deadline, requests, isLeft }) {
    const { sheet, posts, reads } = shop
    assert.equal(requests, shop.requests.length, 'nothing is sent after the end')
    assert.ok(requests <= 80, `${requests} requests`)
    assert.ok(new Set(posts.map(({ body }) => body)).size <= 1, 'every POST has the same bytes')
    assert.ok(reads.every(({ path }) => path === `/v1/payments/${order.merchant_reference}`), 'and the same reference')
    assert.ok(relay.charges <= 1)

    const wasClosed = sheet.state === 'canceled'
    assert.equal(sheet.completions.length, wasClosed ? 0 : 1, 'the sheet is completed exactly once')
    assert.deepEqual(sheet.misuses, [])
    for (const { after, errors } of sheet.completions) {
        assert.ok(after <= deadline, `completed after ${after} of ${deadline}`)
        assert.deepEqual(errors, [], 'and never for another try')
    }
    assert.equal(sheet.completions[0]?.status === 0, !wasClosed && value?.isPaid === true, 'success is shown where it is paid')

    if (error) {
        // A problem that came before the relay mentioned the reference is only about this order.
        const isUnasked = relay.earlier && error.slug !== 'reference-taken'
        assert.ok(relay.charges === 0 || isUnasked, 'an error means that nothing was charged, ever')
        assert.ok(error instanceof CheckoutError || isLeft && error.name === 'AbortError', String(error))
        const told = JSON.stringify({ ...error, message: error.message, stack: error.stack })
        for (const secret of [bearer, order.customer_email, 'c2VjcmV0']) assert.ok(!told.includes(secret), told)
        return
    }
    assert.ok((relay.earlier ? ['uncertain'] : ['captured', 'declined', 'uncertain']).includes(value.outcome), value.outcome)
    if (value.outcome === 'captured') assert.ok(relay.said.has('captured') && relay.charges === 1, 'paid only if the relay said so')
    if (value.outcome === 'declined') assert.ok(relay.said.has('declined') && relay.charges === 0)
    assert.ok(JSON.stringify(value.attempts).length < 8_192 && !JSON.stringify(value).includes(bearer))
}

test(`whatever happens between page and relay, ${first} to ${last}: one payment, one truth, one completed sheet`, async () => {
    const ends = {}
    for (let seed = first; seed <= last; seed++) {
        const end = await run(seed)
        try {
            check(end)
        } catch (failure) {
            failure.message = `SEEDS=${seed}..${seed}: ${failure.message}\n${JSON.stringify(end.value ?? { ...end.error, is: String(end.error) })}`
            throw failure
        }
        const word = end.value?.outcome ?? (end.error instanceof CheckoutError ? end.error.code : 'aborted')
        for (const name of [word, end.error?.payment && 'earlier']) ends[name] = (ends[name] ?? 0) + 1
    }
    // The schedules reach every outcome.
    if (last - first >= 1_000) {
        for (const word of ['captured', 'declined', 'uncertain', 'refused', 'nothing-sent', 'aborted', 'earlier']) {
            assert.ok(ends[word] > 0, `no seed ends with ${word}: ${JSON.stringify(ends)}`)
        }
    }
})
