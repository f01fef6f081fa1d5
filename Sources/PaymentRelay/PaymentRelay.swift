// PaymentRelay
