import assert from 'node:assert/strict'
import test from 'node:test'
import { random } from './clock.mjs'
import { answer, never, order, page, paymentRequest, problem, receipt, script, token } from './page.mjs'

const [first, last] = (process.env.SEEDS ?? '1..2000').split('..').map(Number)

/** Answers with what was sent: this order, captured. */
const relay = async ({ body }) => answer(200, receipt('captured', { amount: JSON.parse(body).amount }))

/** 115.00 AED with the courier, 100.00 without. */
const price = ({ shippingMethod }) => shippingMethod?.identifier === 'courier'
    ? { amount: 11500, orderToken: 'token-11500', lineItems: [{ label: 'Shipping', amount: '15.00' }] }
    : { amount: 10000, orderToken: 'token-10000' }

const courier = { identifier: 'courier', label: 'Courier', amount: '15.00' }
const pickup = { identifier: 'pickup', label: 'Pickup', amount: '0.00' }

/** A shop whose customer does this in the sheet, with a second for the page to answer each choice. */
const shop = (change, customer, more = {}) => {
    const made = page(relay, {
        change, customer: sheet => customer(sheet, { pause: (milliseconds = 1000) => made.clock.sleep(milliseconds) }), ...more,
    })
    return made
}

const chooseAndPay = async (sheet, { pause }) => {
    sheet.choose('shippingMethod', courier)
    await pause()
    if (sheet.state === 'active') sheet.authorize({ token })
}

test("after a change the sheet's total is the page's new amount, and that is paid, with its order token", async () => {
    const made = shop(price, chooseAndPay)
    const { value } = await made.pay()
    assert.equal(value.outcome, 'captured')
    assert.deepEqual(made.sheet.updates, [{
        choice: 'shippingMethod', newTotal: { label: 'Example Shop', amount: '115.00' },
        newLineItems: [{ label: 'Shipping', amount: '15.00' }], errors: [],
    }])
    const [post] = made.posts
    assert.deepEqual([JSON.parse(post.body).amount, post.headers.Authorization], [11500, 'Bearer token-11500'])
    assert.deepEqual(made.sheet.misuses, [])
})

test('the page gets every choice of the customer, and the order as it was agreed to last', async () => {
    const asked = []
    const made = shop((selection, { amount }) => {
        asked.push({ ...selection, amount })
        return price(selection)
    }, async (sheet, { pause }) => {
        for (const [choice, value] of [
            ['paymentMethod', { type: 'debit' }], ['shippingMethod', courier], ['shippingContact', { countryCode: 'AE' }], ['couponCode', 'TEN'],
        ]) {
            sheet.choose(choice, value)
            await pause()
        }
        sheet.cancel()
    })
    assert.equal((await made.pay()).value.outcome, 'canceled')
    assert.deepEqual(asked.map(({ changed, amount }) => [changed, amount]), [
        ['paymentMethod', 10000], ['shippingMethod', 10000], ['shippingContact', 11500], ['couponCode', 11500],
    ])
    assert.deepEqual(asked.at(-1), {
        changed: 'couponCode', amount: 11500, paymentMethod: { type: 'debit' }, shippingMethod: courier,
        shippingContact: { countryCode: 'AE' }, couponCode: 'TEN',
    })
})

test('without the option the sheet has no event for changes', async () => {
    const made = page(relay)
    await made.pay()
    for (const event of ['onshippingcontactselected', 'onshippingmethodselected', 'oncouponcodechanged', 'onpaymentmethodselected']) {
        assert.equal(made.sheet[event], undefined)
    }
    assert.throws(() => page(relay, { change: true }), TypeError)
})

test('shipping methods are those that the page gave last', async () => {
    const made = shop(selection => ({
        ...price(selection), ...selection.changed === 'shippingContact' && selection.shippingContact.countryCode === 'AE' && { shippingMethods: [pickup] },
    }), async (sheet, { pause }) => {
        for (const [choice, value] of [
            ['shippingContact', { countryCode: 'SA' }], ['shippingMethod', courier], ['shippingContact', { countryCode: 'AE' }], ['couponCode', ''],
        ]) {
            sheet.choose(choice, value)
            await pause()
        }
        sheet.authorize({ token })
    })
    await made.pay({}, {}, { ...paymentRequest, shippingMethods: [pickup, courier] })
    assert.deepEqual(made.sheet.updates.map(({ newShippingMethods }) => newShippingMethods), [[pickup, courier], undefined, [pickup], undefined])
    // The courier is no longer available, so it is no longer chosen.
    assert.equal(JSON.parse(made.posts[0].body).amount, 10000)
})

test('the page gets one change after another, and a payment that is authorized before the last is shown is not sent', async () => {
    const delays = [9000, 1000]
    const asked = []
    const made = shop(async selection => {
        asked.push(selection.shippingMethod.identifier)
        await made.clock.sleep(delays.shift())
        return price(selection)
    }, async (sheet, { pause }) => {
        sheet.choose('shippingMethod', courier)
        sheet.choose('shippingMethod', pickup, true)
        await pause(9500)
        sheet.authorize({ token }, true)
    })
    const { error } = await made.pay()
    assert.deepEqual([error.code, made.posts.length, made.sheet.completions.map(({ status }) => status)], ['order-token', 0, [1]])
    assert.deepEqual(asked, ['courier', 'pickup'])
})

const failures = [
    ['throws', () => { throw new Error('backend') }], ['rejects', async () => { throw new Error('backend') }],
    ['gives nothing', () => undefined], ['gives no amount', () => ({ orderToken: 'token' })],
    ['gives no whole number of minor units', () => ({ amount: 115.5, orderToken: 'token' })],
    ['gives no order token', () => ({ amount: 11500 })], ['gives a page of HTML', () => ({ amount: 11500, orderToken: '<html>' })],
    ['never answers', never],
]

for (const [what, change] of failures) {
    test(`a page that ${what} closes the sheet within Apple's 30 seconds, and nothing is sent`, async () => {
        const made = shop(change, sheet => sheet.choose('shippingMethod', courier))
        const began = made.clock.now()
        const { error } = await made.pay()
        assert.ok(['order-token', 'invalid-order'].includes(error.code), String(error))
        assert.deepEqual([made.sheet.state, made.posts.length, made.sheet.updates.length], ['aborted', 0, 0])
        assert.ok(made.clock.now() - began < 30_000)
    })
}

test('a change that the page refuses is shown with its errors and the old total, and can be corrected', async () => {
    const errors = [{ code: 'addressUnserviceable' }]
    const change = selection => selection.shippingContact.countryCode === 'AE' ? price(selection) : { errors }
    const choose = (...countries) => async (sheet, { pause }) => {
        for (const countryCode of countries) {
            sheet.choose('shippingContact', { countryCode })
            await pause()
        }
        sheet.authorize({ token })
    }
    const made = shop(change, choose('AQ', 'AE'))
    assert.equal((await made.pay()).value.outcome, 'captured')
    assert.deepEqual(made.sheet.updates.map(update => [update.newTotal.amount, update.errors]), [['100.00', errors], ['100.00', []]])
    const impatient = shop(change, choose('AQ'))
    assert.deepEqual([(await impatient.pay()).error.code, impatient.posts.length], ['order-token', 0])
})

test('an order token that is older than two minutes is requested again, with the amount that was agreed to', async () => {
    const asked = []
    const made = shop(price, async (sheet, { pause }) => {
        sheet.choose('shippingMethod', courier)
        await pause(121_000)
        sheet.authorize({ token })
    }, { orderToken: ({ amount }) => { asked.push(amount); return `again-${amount}` } })
    assert.equal((await made.pay()).value.outcome, 'captured')
    assert.deepEqual([asked, made.posts[0].headers.Authorization], [[10000, 11500], 'Bearer again-11500'])
})

test('an order token for another amount is refused by the relay: nothing is charged', async () => {
    const refusal = problem(403, 'other-order', { errors: [{ field: 'amount', detail: 'is not what the order token says' }] })
    const made = page(script(refusal), {
        change: () => ({ amount: 11500, orderToken: 'token-10000' }),
        customer: sheet => chooseAndPay(sheet, { pause: () => made.clock.sleep(1000) }),
    })
    assert.equal((await made.pay()).error.slug, 'other-order')
})

/** A page that answers in its own time, or not at all. */
function erraticChange(clock, draw) {
    return async () => {
        const kind = Math.floor(draw() * 20)
        const amount = 10000 + 100 * Math.floor(draw() * 50)
        switch (kind) {
        case 0: throw new Error('backend')
        case 1: return { errors: [{ code: 'addressUnserviceable' }] }
        case 2: return never()
        case 3: return { amount }
        case 4: await clock.sleep(draw() * 40_000); break
        default: if (kind < 14) await clock.sleep(draw() * 5_000)
        }
        return { amount, orderToken: `token-${amount}` }
    }
}

async function run(seed) {
    const draw = random(seed)
    const choices = ['shippingContact', 'shippingMethod', 'couponCode', 'paymentMethod']
    const made = page(relay, {
        numbers: random(seed + 1), change: (...request) => erraticChange(made.clock, draw)(...request),
        orderToken: ({ amount }) => `token-${amount}`,
        customer: async sheet => {
            for (let count = Math.floor(draw() * 8) + 1; count > 0; count--) {
                // Sometimes this is sooner than Apple's sheet would allow.
                const isForced = draw() < 0.4
                for (let turn = 0; turn < 100 && !isForced && choices.includes(sheet.state); turn++) await made.clock.sleep(500)
                if (!isForced && sheet.state !== 'active') break
                if (draw() < 0.3) sheet.authorize({ token: { ...token, transactionIdentifier: String(sheet.authorizedTotals.length) } }, isForced)
                else sheet.choose(choices[Math.floor(draw() * 4)], { identifier: String(count) }, isForced)
                await made.clock.sleep(draw() * 4_000)
            }
            sheet.cancel()
        },
    })
    const end = await made.pay()
    await made.clock.runOut()
    return { ...end, made }
}

test(`whatever is changed and answered, ${first} to ${last}: an amount that is sent is the total that the sheet showed`, async () => {
    const ends = {}
    for (let seed = first; seed <= last; seed++) {
        const { value, error, made: { sheet, posts } } = await run(seed)
        for (const { body, headers } of posts) {
            const { amount, token: { transactionIdentifier } } = JSON.parse(body)
            const shown = sheet.authorizedTotals[Number(transactionIdentifier)]
            assert.equal(`${String(amount).slice(0, -2)}.${String(amount).slice(-2)}`, shown, `SEEDS=${seed}..${seed}`)
            assert.equal(headers.Authorization, `Bearer token-${amount}`, `SEEDS=${seed}..${seed}`)
        }
        const isChanged = posts.some(({ body }) => JSON.parse(body).amount !== order.amount)
        for (const word of [value?.outcome ?? error.code, isChanged && 'changed']) ends[word] = (ends[word] ?? 0) + 1
    }
    if (last - first >= 1_000) {
        for (const word of ['captured', 'canceled', 'order-token', 'changed']) assert.ok(ends[word] > 0, `no seed ends with ${word}: ${JSON.stringify(ends)}`)
    }
})
