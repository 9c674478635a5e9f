import NovaBlendCurl

/// The times that libcurl measured.
extension Transfer {
    var metrics: HTTPMetrics {
        let isPooled = usesPooledConnection
        let duration: (CURLINFO) -> Duration = { .microseconds(self.elapsed($0)) }
        let hasTLS = elapsed(CURLINFO_APPCONNECT_TIME_T) > 0
        let isHeadOfStream = job?.response != nil && !streamed.isHeadDelivered
        return HTTPMetrics(
            usedPooledConnection: isPooled,
            nameLookup: isPooled ? nil : duration(CURLINFO_NAMELOOKUP_TIME_T),
            connect: isPooled ? nil : duration(CURLINFO_CONNECT_TIME_T),
            tls: isPooled || !hasTLS ? nil : duration(CURLINFO_APPCONNECT_TIME_T),
            firstByte: duration(CURLINFO_STARTTRANSFER_TIME_T),
            total: isHeadOfStream ? nil : duration(CURLINFO_TOTAL_TIME_T)
        )
    }
}
