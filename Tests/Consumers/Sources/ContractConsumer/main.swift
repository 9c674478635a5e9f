import Contract
import Domain
import JSON

let salons = try SalonListCodec.decode(Array(#"{"salons": []}"#.utf8), limits: JSONLimits())
precondition(salons == [Salon]())
