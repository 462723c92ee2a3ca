// In a page of its own the explorer takes the place of the board that reads without a script.
const place = document.querySelector("main");
place.replaceChildren(place.querySelector("h1"));
mount(place, (say) => pageHost(JSON.parse(document.querySelector('script[type="application/json"]').textContent), say));
