import JSONRPC
import NovaBlendEngine

let configuration = Configuration(
    endpoints: Endpoints(base: "https://salons.example"),
    cacheDirectory: "/tmp/novablend-consumer/cache",
    stateDirectory: "/tmp/novablend-consumer/state"
)
precondition(configuration.endpoints.salons == "https://salons.example/salons")
// Nothing is read, written, or requested before a call.
precondition(Composition(configuration).makeServer().methods["salons/list"] != nil)
