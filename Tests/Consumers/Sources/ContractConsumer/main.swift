import Contract
import Domain
import JSON

let bytes = Array(#"{"salons": []}"#.utf8)
let salons = try SalonListCodec.decode(bytes, limits: JSONLimits())
let written = SalonListCodec.encode(salons)
precondition(salons == [Salon]() && written == Array(#"{"salons":[]}"#.utf8))
