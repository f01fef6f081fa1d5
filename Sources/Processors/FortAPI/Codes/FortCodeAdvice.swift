extension FortCode {
    /// Advice to the merchant for this code; nil if a merchant can change nothing.
    public var advice: String? { FortCode.advice[message] }

    /// By message. Of every class that the merchant can do something about: configuration, signature, token, duplicate.
    ///
    /// FORT's documentation gives none of this. It is gathered from APS's plugins and from what integrators ran into.
    public static let advice: [String: String] = [
        "003":
            "Ask APS to activate Apple Pay, and the card's scheme, for this merchant account and currency; compare the access code with the one under Apple Pay.",
        "007":
            "FORT's order of this reference counts as this one if the amount is the same, however old it is: never restart the numbering of orders.",
        "008":
            "Compare the SHA request phrase and the SHA type with the dashboard's, character by character; Apple Pay has its own pair. `payrelay fort explain` finds the mistake.",
        "009": "Compare the merchant identifier with the dashboard's; test and production have different ones.",
        "010":
            "Compare the access code with the dashboard's: Apple Pay has its own, and test and production have different ones.",
        "014": "The payment option is switched off for this account. Ask APS to activate it.",
        "015": "The merchant account is switched off, or not yet live in this environment. Ask APS.",
        "017": "The acquiring bank does not permit the operation for this account. Ask APS.",
        "018": "The processor does not permit the operation for this account. Ask APS.",
        "019": "The account's acquirer is switched off. Ask APS.",
        "020": "The account's processor is switched off. Ask APS.",
        "021": "The acquirer has switched the payment option off. Ask APS.",
        "023": "The acquirer does not take this currency. Send another, or ask APS for an account in it.",
        "024": "The processor does not take this currency. Send another, or ask APS for an account in it.",
        "025": "APS has not finished the account's processor settings. Ask APS.",
        "026": "APS has not finished the account's acquirer settings. Ask APS.",
        "038": "Tokenization is switched off for this account. Ask APS, or leave the token parameters out.",
        "039": "No payment option is active for this account. Ask APS to activate Apple Pay.",
        "040":
            "The request came from an address that the account does not list. Enter the relay's outgoing address in the dashboard under Integration Settings, Security and Technical Settings.",
        "043": "The operation (capture, void, refund, …) is switched off for this account. Ask APS to activate it.",
        "046": "The channel is not set up for this payment option. Ask APS to set Apple Pay up for it.",
        "049":
            "The payment option does not have this operation, or is not active: an authorization of a card that can only be purchased, for example. Ask APS which it permits.",
        "068": "FORT's mobile SDK service is switched off for this account. Ask APS to activate it.",
        "078":
            "The account's fraud service is switched on and not set up. Ask APS; send customer_ip, which it may need. After status 10 the outcome is open.",
        "082": "The request needs the fraud service, and it is switched off for this account. Ask APS.",
        "089":
            "FORT could not open Apple's token. The Apple Pay payment processing certificate in FORT's dashboard must be the one that the token's publicKeyHash names, and the token must be of this environment.",
        "093": "A service that the request needs is switched off for this account. Ask APS which.",
        "097":
            "The service does not have this operation. Compare digital_wallet, command and eci with the documentation.",
        "099":
            "FORT could not use Apple's token. Seen after certificates were renewed: APS must have the key of the payment processing certificate that Apple activated. Check too that the token is of this environment.",
        "102":
            "Apple's token is too old. Send it as soon as the customer has approved it, and never again; check what it waits for.",
        "111": "The service in the request is not for this payment option. Leave it out, or ask APS.",
        "112": "The service in the request is not for this command. Leave it out, or ask APS.",
        "113": "The service in the request is not for this e-commerce indicator. Compare eci.",
        "225": "The account is not permitted this operation. Ask APS.",
    ]
}
