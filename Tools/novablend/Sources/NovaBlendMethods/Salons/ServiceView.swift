import Contract
import Domain
import JSON

/// A service in a result. Unlike the server's JSON, it has its price also as text.
enum ServiceView {
    static func fragment(_ service: Service) -> JSONFragment {
        var rest = service
        rest.price = nil
        let plain = JSONFragment { ServiceCodec.write(rest, to: &$0) }
        guard let price = service.price else { return plain }
        let amount = JSONFragment { PriceCodec.write(price, to: &$0) }
        let text = JSONFragment { $0.string(price.description) }
        return plain.addingMember("price", amount.addingMember("text", text))
    }
}
