// OutboundHTTP
