import HTTPServing

extension ServerResponse {
    /// The response with a link to the next page (RFC 8288). Its URL is relative to the URL of the
    /// request, so it is right behind every proxy.
    func linkingNext(_ query: String?) -> ServerResponse {
        guard let query else { return self }
        var response = self
        response.headers["Link"] = "<?\(query)>; rel=\"next\""
        return response
    }
}

extension String {
    /// The text as a value in a query (RFC 3986, section 2.1).
    var percentEncoded: String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                encoded.append(byte)
            default:
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
