// A payment sheet as a modal <dialog>: the browser keeps the focus inside, gives it back, and closes it with Escape.

const element = (name, text, className) => {
    const made = document.createElement(name)
    if (text !== undefined) made.textContent = text
    if (className) made.className = className
    return made
}

const row = (label, value, className) => {
    const made = element('div', undefined, className)
    made.append(element('dt', label), element('dd', value))
    return made
}

// Apple's names in requests, and in tokens.
const cards = [['visa', 'Visa'], ['masterCard', 'MasterCard'], ['amex', 'AmEx'], ['mada', 'mada'], ['discover', 'Discover']]
// In milliseconds: long enough to be seen.
const pauseBeforeClosing = 900
const pauseBeforeCanceling = 700

export class SimulatedSheet {
    #dialog = element('dialog', undefined, 'sheet')
    #state = element('p', 'Checking the merchant…', 'state')
    #pay = element('button', 'Pay with simulated Apple Pay', 'primary')
    #cancel = element('button', 'Cancel')
    #card = element('select')
    #lines = element('dl')
    #shipping = element('select')
    #methods = []

    /**
     * @param request as for ApplePaySession.
     * @param events `authorize(network)`, `cancel()`, and `choose(choice, value)` by the names in Apple's events.
     */
    constructor(request, { authorize, cancel, choose }) {
        const { supportedNetworks, shippingMethods = [], supportsCouponCode, couponCode = '' } = request
        const header = element('header')
        const title = element('h2', 'Simulated Apple Pay')
        title.id = 'sheet-title'
        header.append(title, element('span', 'no real money', 'hint'))
        const label = element('label', 'Card')
        for (const [name, network] of cards.filter(([name]) => supportedNetworks.includes(name))) {
            const option = element('option', `${network} •••• 0492 (test)`)
            option.value = network
            this.#card.append(option)
        }
        label.append(this.#card)
        this.#card.addEventListener('change', () => choose('paymentMethod', { type: 'debit', network: this.#card.value }))
        const fields = [label]
        if (shippingMethods.length > 0) {
            fields.push(element('label', 'Shipping'))
            fields.at(-1).append(this.#shipping)
            this.#shipping.addEventListener('change', () => choose('shippingMethod', this.#methods[this.#shipping.selectedIndex]))
        }
        if (supportsCouponCode) {
            const coupon = Object.assign(element('input'), { value: couponCode })
            fields.push(element('label', 'Coupon code'))
            fields.at(-1).append(coupon)
            coupon.addEventListener('change', () => choose('couponCode', coupon.value))
        }
        this.show(request)
        const footer = element('footer')
        this.#state.setAttribute('role', 'status')
        footer.append(this.#state, this.#pay, this.#cancel)
        for (const button of [this.#pay, this.#cancel]) button.type = 'button'
        this.#dialog.setAttribute('aria-labelledby', title.id)
        this.#dialog.append(header, this.#lines, ...fields, footer)
        this.#pay.setAttribute('aria-disabled', 'true')
        this.#pay.addEventListener('click', () => {
            if (this.#pay.getAttribute('aria-disabled') === 'false') authorize(this.#card.value)
        })
        this.#cancel.addEventListener('click', cancel)
        // Escape.
        this.#dialog.addEventListener('cancel', event => {
            event.preventDefault()
            cancel()
        })
        // The browser closes it at a second Escape, whatever the page says.
        this.#dialog.addEventListener('close', cancel)
        document.body.append(this.#dialog)
        this.#dialog.showModal()
        this.#pay.focus()
    }

    /** The total, and what makes it up. */
    show({ total, lineItems = [], shippingMethods = [], currencyCode }) {
        this.#lines.replaceChildren(
            ...lineItems.map(({ label, amount }) => row(label, `${currencyCode} ${amount}`)),
            row(`Pay ${total.label}`, `${currencyCode} ${total.amount}`, 'total'))
        const selected = this.#methods[this.#shipping.selectedIndex]?.identifier
        this.#methods = shippingMethods
        this.#shipping.replaceChildren(...shippingMethods.map(({ label, amount }) => element('option', `${label}, ${currencyCode} ${amount}`)))
        this.#shipping.selectedIndex = Math.max(0, shippingMethods.findIndex(({ identifier }) => identifier === selected))
    }

    #show(text, kind, mayPay) {
        this.#state.textContent = text
        this.#state.className = `state ${kind}`
        // Not `disabled`: that would take the focus away.
        this.#pay.setAttribute('aria-disabled', String(!mayPay))
    }

    ready() { this.#show('Confirm the payment.', '', true) }

    processing() { this.#show('Processing…', '', false) }

    /** The customer can read it, and authorize again. */
    failed(text, mayPay = true) { this.#show(text, 'bad', mayPay) }

    done() { this.#closeAfter('Done', 'good') }

    notCompleted() { this.#closeAfter('Payment not completed', 'bad') }

    cancelSoon() {
        this.#show('The simulated customer cancels.', '', false)
        setTimeout(() => this.#cancel.click(), pauseBeforeCanceling)
    }

    #closeAfter(text, kind) {
        this.#show(text, kind, false)
        setTimeout(() => this.close(), pauseBeforeClosing)
    }

    close() {
        this.#dialog.close()
        this.#dialog.remove()
    }
}
