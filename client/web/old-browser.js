// Say in a browser that cannot run this page that it is too old. Uses only old JavaScript.

(function () {
  if (window.HTMLScriptElement && HTMLScriptElement.supports && HTMLScriptElement.supports("importmap")) {
    return;
  }
  var place = document.getElementById("app") || document.body;
  place.textContent =
    "This browser is too old for this page. Update it, or open this address in another one.";
})();
