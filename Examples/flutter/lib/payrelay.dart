// Pays an order with what the package `pay` hands over. It needs the package `http`. No Dart compiler has checked it.

import 'dart:async';
import 'dart:convert';

import 'package:http/http.dart' as http;

/// Show [paid] as paid, [refused] with another card, and [uncertain] as being checked: never offer a second payment then.
enum PaymentResult { paid, refused, uncertain }

const _meaning = {
  'captured': PaymentResult.paid,
  'authorized': PaymentResult.paid,
  'declined': PaymentResult.refused,
  'not_processed': PaymentResult.refused,
};

/// [token] is the whole result of the Apple Pay button, unchanged. [order] has the fields that [orderToken] pins, and the customer's.
Future<PaymentResult> payOrder(
  Uri relay,
  String orderToken,
  Map<String, dynamic> order,
  Map<String, dynamic> token,
) async {
  // One body for every attempt: the relay charges a reference once, and answers the same bytes with the same answer.
  final body = jsonEncode({...order, 'token': token});
  for (var attempt = 1;; attempt++) {
    http.Response? answer;
    try {
      answer = await http
          .post(
            relay.resolve('/v1/payments'),
            headers: {'Content-Type': 'application/json', 'Authorization': 'Bearer $orderToken'},
            body: body,
          )
          .timeout(const Duration(seconds: 60));
    } on TimeoutException {
      answer = null;
    } on http.ClientException {
      answer = null;
    }
    if (answer?.statusCode == 200) {
      final payment = jsonDecode(answer!.body) as Map<String, dynamic>;
      return _meaning[payment['outcome']] ?? PaymentResult.uncertain;
    }
    if (answer?.statusCode == 202) return PaymentResult.uncertain;
    // 409 and 422 may be about an earlier request that paid under this reference or with this token: read that payment.
    if (answer?.statusCode == 409 || answer?.statusCode == 422) {
      final type = (jsonDecode(answer!.body) as Map<String, dynamic>)['type'] as String? ?? '';
      if (type.endsWith(':reference-taken') || type.endsWith(':token-used')) return PaymentResult.uncertain;
    }
    final mayHelp = answer == null || [408, 409, 429].contains(answer.statusCode) || answer.statusCode >= 500;
    if (!mayHelp) return PaymentResult.refused;
    if (attempt == 3) return PaymentResult.uncertain;
    await Future<void>.delayed(Duration(seconds: attempt));
  }
}
