import assert from 'node:assert/strict'
import test from 'node:test'
import { amountText, CheckoutError, source } from './module.mjs'
import { page, paymentRequest } from './page.mjs'

test('minor units become the decimal text of the currency', () => {
    const texts = [
        [10000, 'AED', '100.00'], [10000, 'KWD', '10.000'], [10000, 'JPY', '10000'], [1, 'AED', '0.01'], [1, 'KWD', '0.001'],
        ['9999999999', 'AED', '99999999.99'], [9999999999, 'BHD', '9999999.999'], [5, 'JPY', '5'], [12, 'CLF', '0.0012'],
        [10, 'AED', '0.10'],
    ]
    for (const [amount, currency, text] of texts) assert.equal(amountText(amount, currency), text)
})

test('every currency has the decimals that the relay counts with', () => {
    const table = source('Sources/Foundations/PayrelayPrimitives/Currency.swift').matchAll(/\b([A-Z]{3}) [0-9]{3} ([0-9])\b/g)
    const rows = [...table]
    assert.ok(rows.length > 150)
    for (const [, code, exponent] of rows) {
        assert.equal((amountText(1, code).split('.')[1] ?? '').length, Number(exponent), code)
    }
})

test('what is no amount in minor units is refused', () => {
    for (const amount of [0, -1, 1.5, NaN, Infinity, 1e21, 10000000000, '', '0', '01', '1e3', '1.0', ' 1', '１', null, undefined, {}]) {
        assert.throws(() => amountText(amount, 'AED'), CheckoutError)
    }
    for (const currency of ['aed', 'AE', 'AEDX', '', null, undefined]) {
        assert.throws(() => amountText(1, currency), CheckoutError)
    }
})

const mismatches = [
    ['another amount', { total: { label: 'x', amount: '100.01' } }],
    ['ten times as much', { total: { label: 'x', amount: '1000.00' } }],
    ['minor units', { total: { label: 'x', amount: '10000' } }],
    ['a number', { total: { label: 'x', amount: 100 } }],
    ['an exponent', { total: { label: 'x', amount: '1e2' } }],
    ['a sign', { total: { label: 'x', amount: '-100.00' } }],
    ['more decimals than the currency has', { total: { label: 'x', amount: '100.001' } }],
    ['a pending total', { total: { label: 'x', amount: '100.00', type: 'pending' } }],
    ['no total', { total: undefined }],
    ['another currency', { currencyCode: 'USD' }],
]

for (const [what, change] of mismatches) {
    test(`no sheet opens whose total is not the order's amount: ${what}`, async () => {
        const shop = page(() => { throw new Error('nothing is sent') })
        const { error } = await shop.pay({}, {}, { ...paymentRequest, ...change })
        assert.equal(error.code, 'amount-mismatch')
        assert.equal(shop.sheets.length + shop.requests.length, 0)
    })
}

test('the same total in other digits is the same', async () => {
    for (const amount of ['100', '100.0', '100.00', '100.000', '0100.00']) {
        const shop = page(async () => { throw new Error('lost') })
        await shop.pay({}, {}, { ...paymentRequest, total: { label: 'x', amount } })
        assert.equal(shop.sheets.length, 1, amount)
    }
})
