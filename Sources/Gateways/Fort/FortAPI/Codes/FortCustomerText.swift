/// A language of the sentences for customers. The raw value is the value of FORT's parameter `language`.
public enum FortLanguage: String, Hashable, Sendable, CaseIterable {
    case english = "en"
    case arabic = "ar"
}

/// A text for the customer, in English and in Arabic. Several situations share one text, because only the bank or
/// this service's operator can act on the cause.
enum FortCustomerText: String, Hashable, Sendable, CaseIterable {
    case bankDeclined = "Your bank declined the payment. Please contact your bank or use another card."
    case declined = "The payment was declined. Please use another card or contact your bank."
    case failed = "The payment did not go through. Please try again or use another card."
    case canceled = "The payment was canceled and did not go through. You can pay again at any time."
    case insufficientFunds =
        "The available balance did not cover the amount. Please use another card or contact your bank."
    case cardExpired = "The card has expired. Please use another card."
    case cardDetails = "The card's details were not accepted. Please check them or use another card."
    case securityCode = "The card's security code was not accepted. Please check it or use another card."
    case cardNotRecognized = "The card was not recognized. Please use another card or contact your bank."
    case cardNotPermitted =
        "Your bank does not permit this payment with this card. Please contact your bank or use another card."
    case cardNotTaken = "We cannot take this kind of card. Please use another card."
    case limit = "The payment is above a limit of your card or account. Please use another card or contact your bank."
    case tooManyTries = "There were too many attempts. Please try again later or use another card."
    case notConfirmed = "The payment could not be confirmed with your bank. Please try again or use another card."
    case callBank =
        "Your bank asks you to call before it approves the payment. Please call your bank, then try again."
    case bankUnreachable = "Your bank could not be reached. Please try again later or use another card."
    case technical = "A technical problem stopped the payment. Please try again later or use another card."
    case storedCard = "The saved card cannot be used. Please pay with your card anew or use another card."
    case onlineAccount = "The details of your online account were not accepted. Please check them or pay another way."
    case notAccepted = "We could not accept this payment. Please use another card or contact us."
    case ourSide =
        "The payment did not go through because of a problem on our side, not with your card. Please try again later."
    case paymentMethod = "We cannot take this way of paying at the moment. Please use another card or another way."
    case amountOutside = "This way of paying is not available for this amount. Please pay another way or contact us."
    case approvalExpired = "Too much time passed after you approved the payment. Please pay again."
    case changeNotPossible =
        "We could not make this change to your payment. We are looking into it; you do not need to do anything."
    case checking = "We are checking your payment. Please do not pay again until we tell you the result."
    case inReview = "Your payment is being reviewed. Please do not pay again until we tell you the result."
    case unconfirmed = "Your payment is not confirmed yet. Please do not pay again until we tell you the result."
    case captureNotComplete = "Your payment is not complete yet. We are working on it; please do not pay again."
    case refundNotComplete = "Your refund is not complete yet. We are working on it; you do not need to do anything."
    case voidNotComplete =
        "The cancellation of your payment is not complete yet. We are working on it; you do not need to do anything."
    case paid = "Your payment was successful. Thank you."
    case authorized = "Your payment was approved, and the amount is reserved."
    case refunded = "Your refund was made. Your bank may take some days to show it."
    case voided = "Your payment was canceled. Your bank will release the reserved amount."
    case notStarted = "No payment was made yet."

    /// Whether the text says that the outcome is not known, and asks the customer not to pay again until it is.
    var isOpen: Bool { [.checking, .inReview, .unconfirmed].contains(self) }

    func sentence(in language: FortLanguage) -> String {
        switch language {
        case .english: rawValue
        case .arabic: arabic
        }
    }

    private var arabic: String {
        switch self {
        case .bankDeclined:
            "رفض البنك المُصدر للبطاقة عملية الدفع. يُرجى التواصل مع البنك أو استخدام بطاقة أخرى."
        case .declined:
            "رُفضت عملية الدفع. يُرجى استخدام بطاقة أخرى أو التواصل مع البنك المُصدر للبطاقة."
        case .failed:
            "لم تتم عملية الدفع. يُرجى المحاولة مرة أخرى أو استخدام بطاقة أخرى."
        case .canceled:
            "أُلغيت عملية الدفع ولم تتم. يمكنك الدفع مرة أخرى في أي وقت."
        case .insufficientFunds:
            "الرصيد المتاح لا يغطي المبلغ. يُرجى استخدام بطاقة أخرى أو التواصل مع البنك المُصدر للبطاقة."
        case .cardExpired:
            "انتهت صلاحية البطاقة. يُرجى استخدام بطاقة أخرى."
        case .cardDetails:
            "لم تُقبل بيانات البطاقة. يُرجى التحقق منها أو استخدام بطاقة أخرى."
        case .securityCode:
            "لم يُقبل رمز أمان البطاقة. يُرجى التحقق منه أو استخدام بطاقة أخرى."
        case .cardNotRecognized:
            "تعذّر التعرف على البطاقة. يُرجى استخدام بطاقة أخرى أو التواصل مع البنك المُصدر لها."
        case .cardNotPermitted:
            "لا يسمح البنك المُصدر بعملية الدفع هذه بهذه البطاقة. يُرجى التواصل مع البنك أو استخدام بطاقة أخرى."
        case .cardNotTaken:
            "لا يمكننا قبول هذا النوع من البطاقات. يُرجى استخدام بطاقة أخرى."
        case .limit:
            "تتجاوز عملية الدفع حدًا مقررًا لبطاقتك أو حسابك. يُرجى استخدام بطاقة أخرى أو التواصل مع البنك."
        case .tooManyTries:
            "جرى تجاوز عدد المحاولات المسموح به. يُرجى المحاولة لاحقًا أو استخدام بطاقة أخرى."
        case .notConfirmed:
            "تعذّر تأكيد عملية الدفع لدى البنك. يُرجى المحاولة مرة أخرى أو استخدام بطاقة أخرى."
        case .callBank:
            "يطلب البنك المُصدر للبطاقة الاتصال به قبل الموافقة على الدفع. يُرجى الاتصال بالبنك ثم المحاولة مرة أخرى."
        case .bankUnreachable:
            "تعذّر الاتصال بالبنك المُصدر للبطاقة. يُرجى المحاولة لاحقًا أو استخدام بطاقة أخرى."
        case .technical:
            "تعذّر إتمام عملية الدفع بسبب مشكلة تقنية. يُرجى المحاولة لاحقًا أو استخدام بطاقة أخرى."
        case .storedCard:
            "لا يمكن استخدام البطاقة المحفوظة. يُرجى الدفع بالبطاقة من جديد أو استخدام بطاقة أخرى."
        case .onlineAccount:
            "لم تُقبل بيانات حسابك الإلكتروني. يُرجى التحقق منها أو استخدام وسيلة دفع أخرى."
        case .notAccepted:
            "لم نتمكن من قبول عملية الدفع هذه. يُرجى استخدام بطاقة أخرى أو التواصل معنا."
        case .ourSide:
            "لم تتم عملية الدفع بسبب مشكلة لدينا وليس بسبب بطاقتك. يُرجى المحاولة لاحقًا."
        case .paymentMethod:
            "لا يمكننا قبول وسيلة الدفع هذه حاليًا. يُرجى استخدام بطاقة أخرى أو وسيلة دفع أخرى."
        case .amountOutside:
            "وسيلة الدفع هذه غير متاحة لهذا المبلغ. يُرجى استخدام وسيلة دفع أخرى أو التواصل معنا."
        case .approvalExpired:
            "مرّ وقت طويل بعد موافقتك على الدفع. يُرجى الدفع من جديد."
        case .changeNotPossible:
            "لم نتمكن من إجراء هذا التغيير على عملية الدفع. نحن نتابع الأمر ولا يلزمك القيام بأي شيء."
        case .checking:
            "نتحقق حاليًا من عملية الدفع. يُرجى عدم الدفع مرة أخرى إلى أن نبلغك بالنتيجة."
        case .inReview:
            "عملية الدفع قيد المراجعة. يُرجى عدم الدفع مرة أخرى إلى أن نبلغك بالنتيجة."
        case .unconfirmed:
            "لم تُؤكَّد عملية الدفع بعد. يُرجى عدم الدفع مرة أخرى إلى أن نبلغك بالنتيجة."
        case .captureNotComplete:
            "لم تكتمل عملية الدفع بعد. نعمل على إتمامها، ويُرجى عدم الدفع مرة أخرى."
        case .refundNotComplete:
            "لم يكتمل رد المبلغ بعد. نعمل على إتمامه ولا يلزمك القيام بأي شيء."
        case .voidNotComplete:
            "لم يكتمل إلغاء عملية الدفع بعد. نعمل على إتمامه ولا يلزمك القيام بأي شيء."
        case .paid:
            "تمت عملية الدفع بنجاح. شكرًا لك."
        case .authorized:
            "تمت الموافقة على عملية الدفع وحُجز المبلغ."
        case .refunded:
            "تم رد المبلغ. قد يستغرق ظهوره في حسابك بضعة أيام."
        case .voided:
            "أُلغيت عملية الدفع. سيرفع البنك الحجز عن المبلغ."
        case .notStarted:
            "لم تُجرَ عملية الدفع بعد."
        }
    }
}
