import { ApplePayCheckout, amountText } from '/payrelay.js'

const [cart, products, checkout, total, description, pay, state] =
    ['cart', 'products', 'checkout', 'total', 'description', 'pay', 'state'].map(id => document.getElementById(id))

async function ask(path, body) {
    const answer = await fetch(path, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    return answer.json()
}

/** What the customer pays for: the backend's, with the shipping method that was chosen last. */
let order

/** An order token for the order with this shipping method, and what it costs then. */
const quote = shipping => ask(`/orders/${order.merchant_reference}/token`, { shipping })

const payrelay = new ApplePayCheckout({
    orderToken: async () => (await quote(order.shipping)).order_token,
    fromSheet: { customer_email: 'shippingContact' },
    async change({ shippingMethod }) {
        const shipping = shippingMethod?.identifier ?? order.shipping
        const { amount, order_token: orderToken } = await quote(shipping)
        order = { ...order, amount, shipping }
        showTotal()
        return { amount, orderToken }
    },
})

/** The outcomes after which this order can still be paid. */
const retried = new Map([
    ['canceled', 'You have not paid. Nothing was charged.'],
    ['not_sent', 'Your order is not paid. Nothing was charged. Please try again.'],
])

/** The outcomes after which this order takes no money any more. Only then the page offers another. */
const ended = new Map([
    ['declined', 'The card was declined. Nothing was charged. Order again to try another card.'],
    ['not_processed', 'Your order is not paid. Nothing was charged. Please order again.'],
    ['voided', 'Your payment was canceled.'],
    ['refunded', 'Your payment was refunded.'],
])

/** Every other outcome that is not paid, also one that this page does not know: it may be charged. */
const checking = 'Your payment is being checked. Please do not pay again.'

async function offerProducts() {
    // What was chosen before a decline is still there.
    if (products.querySelector('input')) return
    const { currency, products: all } = await ask('/products')
    for (const [id, { name, amount }] of Object.entries(all)) {
        const label = document.createElement('label')
        const count = Object.assign(document.createElement('input'), { type: 'number', name: id, min: 0, max: 10, value: 0 })
        label.append(`${name}, ${amountText(amount, currency)} ${currency}`, count)
        products.append(label)
    }
}

/** Says how the order ended, and shows the cart again: another try is an order with its own reference. */
async function end(outcome) {
    history.replaceState(null, '', location.pathname)
    state.textContent = ended.get(outcome)
    checkout.hidden = true
    cart.hidden = false
    await offerProducts()
}

/** What the relay says. Where it has no payment, and the backend knows of none, the order can be paid: it is charged once. */
const look = ({ merchant_reference, outcome }) => payrelay.outcome(merchant_reference).catch(({ code }) => (
    { outcome: code === 'no-such-payment' && outcome === 'open' ? 'missing' : 'uncertain', merchant_reference }))

/** Goods are the backend's to ship, and the outcome is the relay's event to it: the page only asks, until one of them is final. */
async function follow(reference, isPaid, attempts = []) {
    // By a payment that the relay does not show to this page.
    const isTaken = attempts.some(attempt => / (reference-taken|token-used)$/.test(attempt))
    for (let pause = 1000;; pause = Math.min(pause * 1.1, 15_000)) {
        const order = await ask(`/orders/${reference}`).catch(() => undefined)
        if (order?.shipped) {
            state.textContent = 'Thank you. Your order is paid and on its way.'
            return
        }
        if (ended.has(order?.outcome)) return end(order.outcome)
        await new Promise(resolve => setTimeout(resolve, pause))
        // Its request may have been lost on the way, or the relay has not sent it.
        if (isPaid || isTaken || order?.outcome !== 'open') continue
        const result = await look(order)
        if (result.outcome !== 'uncertain') return show(result)
    }
}

async function show({ outcome, isPaid, merchant_reference: reference, attempts }) {
    if (!isPaid) console.info(outcome, attempts)
    if (outcome === 'missing') return present()
    if (ended.has(outcome)) return end(outcome)
    state.textContent = isPaid ? 'Thank you. Your order is paid.' : retried.get(outcome) ?? checking
    pay.disabled = !retried.has(outcome)
    if (pay.disabled) await follow(reference, isPaid, attempts)
}

function fail(error) {
    console.error(error)
    // An earlier payment has used the reference up. Only one that is known to have ended took no money.
    if (error.slug === 'reference-taken') {
        const { attempts, payment: { outcome } = {} } = error
        return show({ outcome: ended.has(outcome) ? outcome : 'uncertain', merchant_reference: order.merchant_reference, attempts })
    }
    // It was charged in none of these cases.
    state.textContent = 'That did not work, and nothing was charged. Please try again.'
    pay.disabled = false
}

const showTotal = () => { total.textContent = `${amountText(order.amount, order.currency)} ${order.currency}` }

function present() {
    showTotal()
    description.textContent = order.order_description
    cart.hidden = true
    checkout.hidden = false
    state.textContent = ''
    pay.disabled = false
    if (!ApplePayCheckout.isAvailable()) {
        pay.hidden = true
        state.textContent = 'This browser has no Apple Pay.'
        return
    }
    // The sheet opens within the click: everything that it needs is here before.
    pay.onclick = () => {
        pay.disabled = true
        const { merchant_reference, amount, currency, command } = order
        // Apple selects the first.
        const methods = [...order.shipping_methods].sort((one, other) => (other.id === order.shipping) - (one.id === order.shipping))
        payrelay.pay({ merchant_reference, amount, currency, command, language: 'en' }, {
            countryCode: 'AE', currencyCode: currency, merchantCapabilities: ['supports3DS'],
            supportedNetworks: ['visa', 'masterCard', 'mada'], requiredShippingContactFields: ['email'],
            shippingMethods: methods.map(({ id, label, amount }) => (
                { identifier: id, label, detail: '', amount: amount ? amountText(amount, currency) : '0' })),
            total: { label: 'Example Shop', amount: amountText(amount, currency) },
        }).then(show, fail)
    }
}

cart.onsubmit = event => {
    event.preventDefault()
    const items = Object.fromEntries([...new FormData(cart)].map(([id, count]) => [id, Number(count)]).filter(([, count]) => count > 0))
    ask('/orders', { items }).then(made => {
        order = made
        // After a reload the page knows its order again.
        history.replaceState(null, '', `#${order.merchant_reference}`)
        present()
    }).catch(fail)
}

const reference = location.hash.slice(1)
if (reference) {
    order = await ask(`/orders/${encodeURIComponent(reference)}`).catch(error => {
        console.error(error)
        state.textContent = 'Your order cannot be shown now. Please reload the page.'
    })
    if (order) {
        present()
        // The page may have been left while it paid: nothing can be paid before that is known. The backend may know what the relay does
        // not show to a page.
        pay.disabled = true
        await show(await look(order))
    } else {
        cart.hidden = true
    }
} else {
    await offerProducts()
}
