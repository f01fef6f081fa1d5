// ApplePayToken
