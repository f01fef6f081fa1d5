import assert from 'node:assert/strict'
import test from 'node:test'
import { answer, page, paymentRequest, problem, receipt, script, token } from './page.mjs'

const paid = () => script(answer(200, receipt('captured')))
const contact = { emailAddress: 'sara@example.com', givenName: 'Sara', familyName: '', phoneNumber: '+971501234567' }
const askingForEmail = { ...paymentRequest, requiredShippingContactFields: ['email'] }

test('contact fields come from the sheet only if they are requested', async () => {
    const shop = page(paid(), {
        fromSheet: { customer_email: 'shippingContact', customer_name: 'billingContact' },
        customer: sheet => sheet.authorize({ token, shippingContact: contact, billingContact: { givenName: 'Sara', familyName: 'A' } }),
    })
    const request = { ...askingForEmail, requiredBillingContactFields: ['name'] }
    await shop.pay({ customer_email: undefined }, {}, request)
    const { customer_email, customer_name, phone_number } = JSON.parse(shop.posts[0].body)
    assert.deepEqual([customer_email, customer_name, phone_number], ['sara@example.com', 'Sara A', undefined])
    const unasked = page(paid(), { customer: sheet => sheet.authorize({ token, shippingContact: { ...contact, emailAddress: 'b@example.com' } }) })
    await unasked.pay()
    assert.equal(JSON.parse(unasked.posts[0].body).customer_email, 'sara@example.com')
})

test('a field of the sheet that the relay refuses is shown there, and corrected in the same sheet', async () => {
    const emails = ['sara@', '', 'sara@example.com']
    const refusal = problem(400, 'invalid-fields', { errors: [{ field: 'customer_email', detail: 'is no address' }] })
    const shop = page(script(refusal, answer(200, receipt('captured'))), {
        fromSheet: { customer_email: 'shippingContact' },
        customer: sheet => sheet.authorize({ token, shippingContact: { emailAddress: emails.shift() } }),
    })
    const { value } = await shop.pay({ customer_email: undefined }, {}, askingForEmail)
    assert.equal(value.outcome, 'captured')
    assert.deepEqual(shop.posts.map(({ body }) => JSON.parse(body).customer_email), ['sara@', 'sara@example.com'])
    assert.deepEqual(
        shop.sheet.completions.map(({ status, errors }) => [status, ...errors.map(error => [error.code, error.contactField])]),
        [[1, ['shippingContactInvalid', 'emailAddress']], [1, ['shippingContactInvalid', 'emailAddress']], [0]])
})

test('if the sheet cannot correct every mistake, it closes and the error has every field', async () => {
    const errors = [{ field: 'customer_email', detail: 'is no address' }, { field: 'amount', detail: 'is wrong' }]
    for (const [more, environment] of [[errors, {}], [errors.slice(0, 1), { ApplePayError: undefined }]]) {
        const shop = page(script(problem(400, 'invalid-fields', { errors: more })), {
            fromSheet: { customer_email: 'shippingContact' }, environment,
            customer: sheet => sheet.authorize({ token, shippingContact: contact }),
        })
        const { error } = await shop.pay({ customer_email: undefined }, {}, askingForEmail)
        assert.deepEqual([error.errors, shop.sheet.state], [more, 'completed'])
    }
    // The sheet cannot correct the page's own email address.
    const own = page(script(problem(400, 'invalid-fields', { errors: errors.slice(0, 1) })))
    assert.equal((await own.pay()).error.slug, 'invalid-fields')
    assert.equal(own.sheet.state, 'completed')
})

test('a customer who closes the sheet instead of correcting leaves the refusal', async () => {
    let isFirst = true
    const shop = page(script(problem(400, 'invalid-fields', { errors: [{ field: 'customer_email', detail: 'x' }] })), {
        fromSheet: { customer_email: 'shippingContact' },
        customer: sheet => {
            if (!isFirst) return sheet.cancel()
            isFirst = false
            sheet.authorize({ token, shippingContact: contact })
        },
    })
    assert.equal((await shop.pay({ customer_email: undefined }, {}, askingForEmail)).error.slug, 'invalid-fields')
})

test('a sheet that cannot be corrected any more ends with the refusal', async () => {
    const refusal = problem(400, 'invalid-fields', { errors: [{ field: 'customer_email', detail: 'x' }] })
    const shop = page(script(refusal), {
        fromSheet: { customer_email: 'shippingContact' },
        customer: sheet => {
            sheet.completePayment = () => { throw new Error('InvalidAccessError') }
            sheet.authorize({ token, shippingContact: contact })
        },
    })
    assert.equal((await shop.pay({ customer_email: undefined }, {}, askingForEmail)).error.slug, 'invalid-fields')
})
