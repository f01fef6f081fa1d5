// Runs every JavaScript block of docs/app-libraries.md, and pay() of payrelay.mjs, against `payrelay-dev`. Each block gets a result as its
// library hands it over, made from a minted token.
//
//     payrelay-dev & node Examples/react-native/check.mjs http://127.0.0.1:8080

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { pay } from './payrelay.mjs'

const relay = process.argv[2]
const page = await readFile(new URL('../../docs/app-libraries.md', import.meta.url), 'utf8')
const text = (value) => JSON.stringify(value)

async function post(path, body) {
  const answer = await fetch(relay + path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: text(body) })
  assert.equal(answer.status, 200, await answer.clone().text())
  return answer.json()
}

/** A token as React Native's bridge has it. */
const bridged = (token) => ({
  ...token,
  paymentData: text(token.paymentData),
  paymentMethod: { ...token.paymentMethod, type: 'PKPaymentMethodTypeDebit' },
})

/** What a library hands over, by the heading of its block. */
const results = {
  '@rnw-community/react-native-payments': (token) => ({ request: { show: async () => ({ details: { applePayToken: bridged(token) }, complete }) } }),
  'react-native-payments': (token) => ({
    request: { show: async () => ({ details: { ...bridged(token), paymentData: token.paymentData }, complete }) },
  }),
  '@jackobo/capacitor-apple-pay': (token) => {
    let authorize
    return {
      CapacitorApplePay: {
        addListener: async (name, listener) => { authorize = listener },
        startPayment: async () => authorize({ payment: { token: bridged(token) } }),
        paymentAuthorizationSuccess: () => complete('success'),
        paymentAuthorizationFail: () => complete('failure'),
      },
    }
  },
  'cordova-plugin-applepay': (token) => ({
    ApplePay: {
      makePaymentRequest: async () => ({
        paymentData: btoa(text(token.paymentData)), transactionIdentifier: token.transactionIdentifier,
        paymentMethodDisplayName: token.paymentMethod.displayName, paymentMethodNetwork: token.paymentMethod.network,
        paymentMethodTypeCard: token.paymentMethod.type,
      }),
      completeLastTransaction: complete,
    },
  }),
}

let completed
const complete = async (status) => { completed = status }

let seen = 0
for (const [, library, block] of page.matchAll(/\*\*`([^`]+)`\*\*[^\n]*\n\n```js\n([^]*?)```/g)) {
  assert.ok(results[library], `no result is known of ${library}`)
  const order = {
    command: 'PURCHASE', merchant_reference: `LIB-${Date.now()}-${seen}`, amount: 10000, currency: 'AED', language: 'en',
    customer_email: 'sara@example.com',
  }
  const { order_token: orderToken } = await post('/_dev/order-tokens', order)
  const given = { relay, order, orderToken, pay, paymentRequest: {}, ...results[library](await post('/_dev/tokens', { amount: '100.00', currency: 'AED' })) }
  completed = undefined
  await new (Object.getPrototypeOf(async () => {}).constructor)(...Object.keys(given), block)(...Object.values(given))
  const paid = await (await fetch(`${relay}/v1/payments/${order.merchant_reference}`)).json()
  assert.equal(paid.outcome, 'captured', library)
  assert.ok(['success'].includes(completed), `${library}: ${text(completed)}`)
  seen += 1
}
assert.equal(seen, Object.keys(results).length)

// Refusals, and requests without an answer.
const order = { command: 'PURCHASE', merchant_reference: `LIB-${Date.now()}-X`, amount: 10012, currency: 'AED', language: 'en', customer_email: 'sara@example.com' }
const declined = await pay(relay, undefined, order, await post('/_dev/tokens', { amount: '100.12', currency: 'AED' }))
assert.deepEqual([declined.result, declined.payment.response_code], ['refused', '13012'])
const refused = await pay(relay, undefined, { ...order, amount: -1 }, {})
assert.deepEqual([refused.result, refused.problem.type], ['refused', 'urn:payrelay:problem:invalid-fields'])
assert.deepEqual(await pay('http://127.0.0.1:1', undefined, order, {}), { result: 'uncertain', problem: undefined })
console.log(`${seen} libraries`)
