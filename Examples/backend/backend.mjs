// A merchant's backend for payrelay, without packages. How to run it, and what it leaves to you: README.md beside it.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync, fsyncSync, openSync, readFileSync, realpathSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { orderToken } from '../order-tokens/node/order-token.mjs'

const { ORDER_TOKEN_KEY_FILE, EVENTS_SECRET, ACCOUNT = 'default', ORDERS_FILE = 'orders.jsonl', PORT = '8000' } = process.env
const [key] = JSON.parse(readFileSync(ORDER_TOKEN_KEY_FILE, 'utf8')).keys
// Two of them, separated by a space, while the secret is changed.
const secrets = EVENTS_SECRET.split(/\s+/).filter(text => text).map(text => Buffer.from(text.replace(/^whsec_/, ''), 'base64'))
if (!secrets.length || secrets.some(secret => secret.length < 24)) throw new Error('EVENTS_SECRET must be whsec_ and base64')

/** What is sold, with prices in minor units. They stand here and nowhere else: no client names an amount. */
const currency = 'AED'
const products = new Map([
    ['coffee', { name: 'Coffee', amount: 4500 }],
    ['cup', { name: 'Cup', amount: 12000 }],
])

/** The first is an order's until the customer chooses another. */
const shippingMethods = new Map([
    ['pickup', { label: 'Pickup', amount: 0 }],
    ['courier', { label: 'Courier', amount: 1500 }],
])

// Orders, events and shipments, each written to the disk before anything is answered. A torn line was never answered.
const orders = new Map()
const events = new Set()
const lines = existsSync(ORDERS_FILE) ? readFileSync(ORDERS_FILE, 'utf8').split('\n') : []
const log = openSync(ORDERS_FILE, 'a', 0o600)

function apply(record) {
    if (record.order) {
        const { amount, shipping } = record.order
        const prices = new Map([[amount, shipping]])
        orders.set(record.order.merchant_reference, { ...record.order, prices, outcome: 'open', shipped: false })
    }
    if (record.choice) {
        const { merchant_reference, shipping } = record.choice
        const order = orders.get(merchant_reference)
        const amount = order.goods + shippingMethods.get(shipping).amount
        Object.assign(order, { shipping, amount })
        order.prices.set(amount, shipping)
    }
    if (record.event) {
        const { id, merchant_reference, payment } = record.event
        events.add(id)
        const order = orders.get(merchant_reference)
        // A customer may pay by an earlier token, in another tab: it is shipped as was paid for.
        if (order && isOf(order, record.event)) {
            Object.assign(order, { outcome: payment.outcome, amount: payment.amount, shipping: order.prices.get(payment.amount) })
        }
    }
    if (record.shipped) orders.get(record.shipped).shipped = true
}

function write(record) {
    writeSync(log, `\n${JSON.stringify(record)}\n`)
    fsyncSync(log)
    apply(record)
}

for (const line of lines) {
    let record
    try { record = JSON.parse(line) } catch { continue }
    apply(record)
}
for (const order of orders.values()) ship(order)

/** As clients see it: with the shipping methods, the order's own first. */
function shown({ prices, ...order }) {
    const methods = [...shippingMethods].map(([id, method]) => ({ id, ...method }))
    return { ...order, shipping_methods: methods.sort((one, other) => (other.id === order.shipping) - (one.id === order.shipping)) }
}

/** The relay's event says what was paid. It must be a price of this order, proven, and paid to the account that was to be paid. */
function isOf(order, { payment }) {
    return order.prices.has(payment.amount) && payment.currency === order.currency && payment.account === order.account
        && payment.unproven === undefined
}

/** The only way to the goods: the relay's outcome, once. */
function ship(order) {
    if (order.outcome !== 'captured' || order.shipped) return
    write({ shipped: order.merchant_reference })
    console.log(`shipped ${order.merchant_reference}`)
}

function createOrder(body) {
    const entries = Object.entries(body?.items ?? {})
    const isSold = ([id, count]) => products.has(id) && Number.isInteger(count) && count >= 1 && count <= 10
    if (!entries.length || !entries.every(isSold)) {
        return [400, { error: 'items must be products with a count of 1 to 10' }]
    }
    const goods = entries.reduce((sum, [id, count]) => sum + products.get(id).amount * count, 0)
    const [[shipping, { amount }]] = shippingMethods
    const order = {
        // Who has the reference may pay the order and see its state, so it cannot be guessed.
        merchant_reference: `ORDER-${randomBytes(16).toString('hex')}`,
        command: 'PURCHASE', currency, account: ACCOUNT,
        amount: goods + amount, goods, shipping,
        order_description: entries.map(([id, count]) => `${count} ${products.get(id).name}`).join(', '),
    }
    write({ order })
    return [201, shown(orders.get(order.merchant_reference))]
}

/** A token for the order as it is shipped now, or from now on: the client has the choice, and the price stands here. */
function issueToken(reference, shipping) {
    const order = orders.get(reference)
    if (!order) return [404, { error: 'no such order' }]
    if (shipping !== undefined && shipping !== order.shipping) {
        if (!shippingMethods.has(shipping)) return [400, { error: 'no such shipping method' }]
        if (order.outcome !== 'open') return [409, { error: 'the order was paid, or is being paid' }]
        write({ choice: { merchant_reference: reference, shipping } })
    }
    const { outcome, shipped, goods, prices, shipping: method, ...pinned } = order
    // The last scope is for a web page, which opens its own Apple Pay session.
    const token = orderToken({ ...pinned, scope: 'payments:create payments:read sessions:create' }, key)
    return [200, { order_token: token, amount: order.amount }]
}

/** Standard Webhooks: the signature over the bytes as they came, in constant time, and a time of at most five minutes away. */
function isSigned(headers, body) {
    const { 'webhook-id': id = '', 'webhook-timestamp': time = '', 'webhook-signature': signatures = '' } = headers
    if (!/^[0-9]{1,12}$/.test(time) || Math.abs(Date.now() / 1000 - Number(time)) > 300) return false
    const given = signatures.split(' ').filter(text => text.startsWith('v1,')).map(text => Buffer.from(text.slice(3), 'base64'))
    return secrets.some(secret => {
        const expected = createHmac('sha256', secret).update(`${id}.${time}.`).update(body).digest()
        return given.some(signature => signature.length === expected.length && timingSafeEqual(signature, expected))
    })
}

function receiveEvent(headers, body) {
    if (!isSigned(headers, body)) return [401, { error: 'the signature or its time is wrong' }]
    const event = JSON.parse(body)
    const order = orders.get(event.merchant_reference)
    // An event that is known, or of an order that is not, is acknowledged too: it would be sent again for days.
    if (!order || events.has(event.id)) return [200, {}]
    write({ event })
    if (!isOf(order, event)) console.error(`${event.id} is not of a price and the account of its order`)
    setImmediate(ship, order)
    return [200, {}]
}

const bodyLimit = 65_536

async function bytes(request) {
    const pieces = []
    let length = 0
    for await (const piece of request) {
        length += piece.length
        if (length > bodyLimit) throw new RangeError()
        pieces.push(piece)
    }
    return Buffer.concat(pieces)
}

async function answer(request) {
    const [path] = request.url.split('?')
    const [, reference, isToken] = /^\/orders\/([\w.-]{1,40})(\/token)?$/.exec(path) ?? []
    const body = await bytes(request)
    const route = `${request.method} ${reference ? `/orders/{}${isToken ?? ''}` : path}`
    switch (route) {
    case 'GET /products': return [200, { currency, products: Object.fromEntries(products) }]
    case 'POST /orders': return createOrder(JSON.parse(body))
    case 'GET /orders/{}': return orders.has(reference) ? [200, shown(orders.get(reference))] : [404, { error: 'no such order' }]
    case 'POST /orders/{}/token': return issueToken(reference, body.length ? JSON.parse(body)?.shipping : undefined)
    case 'POST /events': return receiveEvent(request.headers, body)
    default: return [404, { error: 'no such page' }]
    }
}

export async function handle(request, response) {
    const [status, body] = await answer(request).catch(error => {
        if (error instanceof RangeError) return [413, { error: 'too large' }]
        if (error instanceof SyntaxError) return [400, { error: 'not JSON' }]
        console.error(error)
        return [500, { error: 'internal' }]
    })
    response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(JSON.stringify(body))
}

/** Listens on loopback: TLS is the web server's in front. */
export function listen(handler) {
    const server = createServer(handler).listen(Number(PORT), '127.0.0.1', () => {
        console.log(`listening at http://127.0.0.1:${server.address().port}`)
    })
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) listen(handle)
