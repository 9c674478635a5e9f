import NovaBlendEngine

let endpoints = Endpoints(base: "https://salons.example")
precondition(endpoints.salons == "https://salons.example/salons")
